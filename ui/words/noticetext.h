// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/notice/noticepacing.h"
#include "monitor/analyse/notice/noticerules.h"
#include "ui/words/holderaliases.h"

#include <QStringList>

namespace lockkeeper::ui {

// "orders/{42}: held longer than 5 min, by orders-a:33"
[[nodiscard]] QString noticeText(const monitor::NoticeFacts& notice, const HolderAliases& aliases);
// A line each, and at the end how many there are besides.
[[nodiscard]] QStringList bundleLines(const monitor::NoticeBundle& bundle, const HolderAliases& aliases);

}  // namespace lockkeeper::ui
