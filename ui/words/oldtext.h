#pragma once

#include "ui/time/viewtime.h"

#include <QString>

namespace lockkeeper::ui {

// Of what is on screen while nothing more is heard of the server: since when. Empty while it is live.
[[nodiscard]] QString oldText(const ViewTime& time);

}  // namespace lockkeeper::ui
