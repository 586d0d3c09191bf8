// SPDX-License-Identifier: Apache-2.0
#include "ui/base/messagebar.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/retranslating.h"

#include <QAccessible>
#include <QEvent>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds passingTime = 10s;
constexpr int entriesAtMost = 3;
constexpr int windowShare =
    5;  // all messages but the last are folded if together they take more than this part of the window

}  // namespace

MessageBar::MessageBar(Clock& clock, QWidget* parent)
    : QWidget(parent), m_clock(clock), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(1);
}

MessageBar::~MessageBar() {
    for (const Entry& entry : m_entries)
        m_clock.cancel(entry.end);
}

void MessageBar::post(const MakeMessage& message) {
    const InlineMessage* posted = postRevocable(message);
    Q_UNUSED(posted)
}

InlineMessage* MessageBar::postRevocable(const MakeMessage& message) {
    InlineMessage* entry = add(message, message().tone == Tone::Good ? Lasting::Passing : Lasting::UntilClosed);
    auto* close = new QToolButton(entry);
    close->setObjectName(QStringLiteral("messageClose"));
    close->setIcon(icon(QStringLiteral("close")));
    close->setAutoRaise(true);
    keepTranslated(*close, [close] {
        close->setToolTip(helpTip(tr("Close this message")));
        close->setAccessibleName(tr("Close this message"));
    });
    close->setFocusPolicy(Qt::TabFocus);
    entry->addButton(close);
    connect(close, &QToolButton::clicked, this, [this, entry] { withdraw(entry); });
    crowdOut();
    return entry;
}

InlineMessage* MessageBar::postWaiting(const MakeMessage& message, std::function<void()> cancel) {
    InlineMessage* entry = add(message, Lasting::UntilWithdrawn);
    auto* button = new QPushButton(entry);
    keepTranslated(*button, [button] { button->setText(tr("Stop waiting")); });
    button->setObjectName(QStringLiteral("messageStopWaiting"));
    entry->addButton(button);
    connect(button, &QPushButton::clicked, this, [button, stop = std::move(cancel)] {
        button->setEnabled(false);
        stop();
    });
    return entry;
}

InlineMessage* MessageBar::add(const MakeMessage& message, Lasting lasting) {
    auto* entry = new InlineMessage(this);
    m_layout->addWidget(entry);
    keepTranslated(*entry, [this, entry, message] {
        entry->setMessage(message());
        fold();
    });
    Clock::TimerId end = Clock::TimerId::None;
    if (lasting == Lasting::Passing)
        end = m_clock.schedule(m_clock.now() + passingTime, [this, entry] { withdraw(entry); });
    m_entries.push_back({entry, lasting, end});
    window()->installEventFilter(this);
    fold();
    QAccessibleEvent announcement(entry, QAccessible::Alert);
    QAccessible::updateAccessibility(&announcement);
    return entry;
}

void MessageBar::withdraw(InlineMessage* message) {
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(),
                                    [message](const Entry& candidate) { return candidate.message == message; });
    if (entry == m_entries.end())
        return;
    m_clock.cancel(entry->end);
    m_entries.erase(entry);
    message->hide();
    message->deleteLater();
    fold();
}

// Folds messages from the oldest on, as far as needed.
void MessageBar::fold() {
    int height = 0;
    for (const Entry& entry : m_entries) {
        entry.message->setFolded(false);
        height += entry.message->heightForWidth(width());
    }
    for (size_t i = 0; i + 1 < m_entries.size() && height > window()->height() / windowShare; ++i) {
        InlineMessage& message = *m_entries[i].message;
        height -= message.heightForWidth(width());
        message.setFolded(true);
        height += message.sizeHint().height();
    }
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window() && event->type() == QEvent::Resize)
        fold();
    return QWidget::eventFilter(watched, event);
}

void MessageBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fold();
}

void MessageBar::crowdOut() {
    const auto leaves = [](const Entry& entry) { return entry.lasting != Lasting::UntilWithdrawn; };
    while (std::count_if(m_entries.begin(), m_entries.end(), leaves) > entriesAtMost)
        withdraw(std::find_if(m_entries.begin(), m_entries.end(), leaves)->message);
}

QStringList MessageBar::texts() const {
    QStringList texts;
    for (const Entry& entry : m_entries)
        texts << entry.message->text();
    return texts;
}

}  // namespace lockkeeper::ui

#include "moc_messagebar.cpp"
