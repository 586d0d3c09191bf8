// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/noticehistory.h"

namespace lockkeeper::ui {

void NoticeHistory::add(const PastNotice& notice) {
    m_notices.prepend(notice);
    if (m_notices.size() > most)
        m_notices.removeLast();
    Q_EMIT changed();
}

void NoticeHistory::clear() {
    m_notices.clear();
    Q_EMIT changed();
}

}  // namespace lockkeeper::ui

#include "moc_noticehistory.cpp"
