#pragma once

#include "ui/table/locktablemodel.h"

namespace lockkeeper::ui {

[[nodiscard]] QString columnTitle(LockTableModel::Column column);
[[nodiscard]] bool isCentred(LockTableModel::Column column);

}  // namespace lockkeeper::ui
