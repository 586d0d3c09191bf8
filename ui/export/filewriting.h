#pragma once

#include "base/result.h"

#include <QFuture>
#include <QString>

#include <functional>

class QIODevice;

namespace lockkeeper::ui {

// Writes a whole file or none of it, on a thread of the pool. content: runs there, so it owns what it writes; returns
// whether all of it was written. The device knows why not.
[[nodiscard]] QFuture<Result<Done>> writeFile(const QString& path, std::function<bool(QIODevice&)> content);

}  // namespace lockkeeper::ui
