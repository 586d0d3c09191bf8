// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <QList>
#include <QObject>

#include <functional>
#include <optional>

namespace lockkeeper::ui {

// What a rule for notifications has found, whether the desktop showed it or not.
struct PastNotice {
    WallTime at{};
    QString server;
    std::optional<LockName> lock;
    std::function<QString()> text;  // in the language of the moment
};

// The latest notices of all sessions, since the program started.
class NoticeHistory final : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype most = 500;

    using QObject::QObject;

    // The newest first.
    [[nodiscard]] const QList<PastNotice>& notices() const noexcept { return m_notices; }
    void add(const PastNotice& notice);
    void clear();

Q_SIGNALS:
    void changed();

private:
    QList<PastNotice> m_notices;
};

}  // namespace lockkeeper::ui

Q_DECLARE_METATYPE(lockkeeper::ui::PastNotice)
