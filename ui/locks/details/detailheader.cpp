// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/details/detailheader.h"

#include "ui/base/flowlayout.h"
#include "ui/base/fontchange.h"
#include "ui/base/helptip.h"
#include "ui/base/iconlabel.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/wrappedtext.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/locks/model/lockcolumns.h"
#include "ui/locks/model/ttlbar.h"
#include "ui/words/shorttext.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int nameLines = 3;
constexpr qsizetype longestDetail = 2000;  // characters; Copy name takes all of it

// A text that is too long is cut; it does not make the panel wider.
QLabel* lineLabel(const QString& objectName, QWidget* parent) {
    QLabel* label = plainLabel(parent);
    label->setObjectName(objectName);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

DetailHeader::DetailHeader(const ViewTime& time, QWidget* parent)
    : QWidget(parent),
      m_time(time),
      m_stateIcon(new IconLabel(20, this)),
      m_state(plainLabel(this)),
      m_name(new WrappedText(nameLines, this)),
      m_key(lineLabel(QStringLiteral("detailKey"), this)),
      m_swatch(new IconLabel(16, this)),
      m_holder(lineLabel(QStringLiteral("detailHolder"), this)),
      m_age(lineLabel(QStringLiteral("detailAge"), this)),
      m_ttl(plainLabel(this)),
      m_copy(makeButton(QStringLiteral("detailCopyName"))) {
    setObjectName(QStringLiteral("detailHeader"));
    m_state->setObjectName(QStringLiteral("detailState"));
    m_ttl->setObjectName(QStringLiteral("detailTtl"));
    m_name->setObjectName(QStringLiteral("detailName"));
    m_copy->setIcon(icon(QStringLiteral("copy")));
    connect(m_copy, &QToolButton::clicked, this, &DetailHeader::copyName);
    makeLayout();
}

QToolButton* DetailHeader::makeButton(const QString& objectName) {
    auto* button = new QToolButton(this);
    button->setObjectName(objectName);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void DetailHeader::makeLayout() {
    QFont bold = m_state->font();
    bold.setBold(true);
    m_state->setFont(bold);
    keepFontScaled(*m_name, 1.25);
    auto* state = new QHBoxLayout;
    state->addWidget(m_stateIcon);
    state->addWidget(m_state, 1);
    state->addWidget(m_copy);
    auto* holder = new QHBoxLayout;
    holder->addWidget(m_swatch);
    holder->addWidget(m_holder, 1);
    auto* times = new QHBoxLayout;
    times->addWidget(m_age, 1);
    times->addWidget(m_ttl);
    m_buttons = new FlowLayout(2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 6);
    layout->setSpacing(3);
    layout->addLayout(state);
    layout->addWidget(m_name);
    layout->addWidget(m_key);
    layout->addLayout(holder);
    layout->addLayout(times);
    layout->addLayout(m_buttons);
}

void DetailHeader::offerActions(const QList<QAction*>& actions) {
    for (QAction* action : actions) {
        QToolButton* button = makeButton(QStringLiteral("detailButton_") + action->objectName());
        button->setDefaultAction(action);
        m_buttons->addWidget(button);
    }
}

void DetailHeader::retranslate() {
    m_copy->setText(tr("Copy name"));
    m_copy->setToolTip(helpTip(tr("Copy the lock's name to the clipboard")));
    m_name->setAccessibleName(tr("Name of the lock"));
    showAll();
}

void DetailHeader::setAliases(const HolderAliases& aliases) {
    m_aliases = aliases;
    showHolder();
}

void DetailHeader::setNames(const ProgramNames& names) {
    m_names = names;
    showAll();
}

void DetailHeader::setLock(const monitor::LockRow& row, Ownership ownership, Absence absence) {
    if (m_row.lock.name != row.lock.name)
        m_name->forgetHeight();
    m_row = row;
    m_ownership = ownership;
    m_absence = absence;
    showAll();
}

void DetailHeader::showAll() {
    const LockState state = lockState(m_row.lock, m_ownership);
    m_stateIcon->setIcon(icon(stateIcon(state), stateTone(state)));
    m_state->setText(stateLine(state));
    m_name->setText(m_names.shown(m_row.lock.name, longestDetail));
    const QString key = m_names.keyNote(m_row.lock.name, longestDetail);
    m_key->setText(key);
    m_key->setToolTip(helpTip(m_names.keyNote(m_row.lock.name)));
    m_key->setVisible(!key.isEmpty());
    showHolder();
    showTimes();
}

void DetailHeader::showHolder() {
    const QList<monitor::Holder>& holders = m_row.lock.holders;
    const bool marked = m_colors && !holders.isEmpty();
    m_swatch->setIcon(marked ? clientIcon(m_colors->of(holders.front().id.client())) : QIcon());
    const QString whole = holders.isEmpty() ? tr("Nobody holds it") : holdersText(m_row.lock, m_aliases);
    m_holder->setText(m_holder->fontMetrics().elidedText(whole, Qt::ElideMiddle, m_holder->width()));
    m_holder->setToolTip(helpTip(holders.size() == 1 ? m_aliases.fullDisplay(holders.front().id) : whole));
}

void DetailHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    showHolder();
    showTimes();
}

// Both times are on one line. A narrow panel shows the largest unit of each alone, and the tip shows the whole.
void DetailHeader::showTimes() {
    const QMargins margins = layout()->contentsMargins();
    const int room = width() - margins.left() - margins.right() - layout()->spacing();
    const auto fits = [this, room](Length length) {
        return m_age->fontMetrics().horizontalAdvance(ageText(length)) +
                   m_ttl->fontMetrics().horizontalAdvance(ttlText(length)) <
               room;
    };
    const Length length = fits(Length::Usual) ? Length::Usual : Length::Short;
    const QString ttl = ttlText(length);
    m_ttl->setText(ttl);
    m_ttl->setToolTip(helpTip(length == Length::Short ? ttlText(Length::Usual) : QString()));
    const int roomOfAge = room - m_ttl->fontMetrics().horizontalAdvance(ttl) - 1;
    m_age->setText(m_age->fontMetrics().elidedText(ageText(length), Qt::ElideRight, roomOfAge));
    m_age->setToolTip(helpTip(length == Length::Short ? ageText(Length::Usual) : QString()));
}

QString DetailHeader::stateLine(LockState state) const {
    if (m_absence == Absence::Unlisted)
        return tr("State not known");
    if (m_row.isUnread && time().isLive())
        return unreadStateText(state);
    return time().isLive() ? stateText(state) : oldStateText(state);
}

QString DetailHeader::ageText(Length length) const {
    if (!m_row.lock.isHeld())
        return tr("Last read %1").arg(clockText(m_row.lock.seenAtWall, time().wallNow()));
    const Milliseconds held = toMilliseconds(time().moment() - m_row.hold.since);
    if (length == Length::Short)
        return m_row.hold.isBeginSeen() ? tr("Held %1").arg(shortCountText(held))
                                        : tr("Held %1 or longer").arg(shortCountText(held));
    const QString age = countText(held);
    return m_row.hold.isBeginSeen() ? tr("Held for %1").arg(age) : tr("Held for %1 or longer").arg(age);
}

QString DetailHeader::ttlText(Length length) const {
    const TtlBar bar = ttlBar(m_row, time());
    const QString text = length == Length::Short ? shortTtlText(m_row, m_time) : bar.text;
    return bar.kind == TtlBar::Kind::None || bar.kind == TtlBar::Kind::NeverExpires ? text : tr("TTL %1").arg(text);
}

void DetailHeader::copyName() const {
    QGuiApplication::clipboard()->setText(fullName(m_row.lock.name));
}

}  // namespace lockkeeper::ui

#include "moc_detailheader.cpp"
