#pragma once

#include "ui/time/viewtime.h"

#include <QString>

namespace lockkeeper::ui {

// Since when what is on the screen is old, because the connection was lost. Empty while it is live.
[[nodiscard]] QString oldText(const ViewTime& time);

}  // namespace lockkeeper::ui
