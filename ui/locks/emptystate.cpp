// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/emptystate.h"

#include "ui/base/fontchange.h"
#include "ui/base/iconlabel.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/words/errortext.h"
#include "ui/words/locktext.h"
#include "ui/words/watchingtext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int explanationWidth = 28;  // heights of a line
constexpr int iconSide = 56;
constexpr qsizetype longestExplanation = 2000;  // characters: it may quote a server

QString sweepText(const monitor::MonitorStats& stats) {
    if (stats.discovery == monitor::DiscoveryState::Refused)
        return discoveryToolTip(stats);
    if (stats.sweepsDone > 0)
        return EmptyState::tr("The last sweep read %Ln key(s) and found no lock. New locks appear here by themselves.",
                              nullptr, static_cast<int>(stats.keysInLastSweep));
    if (stats.databaseSize > 0)
        return EmptyState::tr("%1 of about %2 keys read so far.")
            .arg(numberText(static_cast<qint64>(stats.keysThisSweep)), numberText(stats.databaseSize));
    return EmptyState::tr("%Ln key(s) read so far.", nullptr, static_cast<int>(stats.keysThisSweep));
}

}  // namespace

Emptiness emptinessOf(const ConnectionStatus& status, int rows, int shown) {
    if (shown > 0)
        return Emptiness::None;
    if (rows > 0)
        return Emptiness::AllFiltered;
    switch (status.phase) {
        case ConnectionPhase::Disconnected:
        case ConnectionPhase::Failed:
            return Emptiness::NotConnected;
        case ConnectionPhase::Connecting:
            return Emptiness::Connecting;
        case ConnectionPhase::Connected:
        case ConnectionPhase::Reconnecting:
            return Emptiness::NoLocks;
    }
    return Emptiness::None;
}

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent),
      m_icon(new IconLabel(iconSide, this)),
      m_headline(plainLabel(this)),
      m_text(plainLabel(this)),
      m_button(new QPushButton(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_headline->setObjectName(QStringLiteral("emptyHeadline"));
    keepFontScaled(*m_headline, 1.4);
    m_headline->setAlignment(Qt::AlignCenter);
    m_text->setObjectName(QStringLiteral("emptyText"));
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_text->setMaximumWidth(m_text->fontMetrics().height() * explanationWidth);
    m_button->setObjectName(QStringLiteral("emptyButton"));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addStretch(2);
    // Narrower than usual where the window has no more room.
    auto* line = new QHBoxLayout;
    line->addStretch(1);
    line->addWidget(m_text, 100);
    line->addStretch(1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_icon, m_headline})
        layout->addWidget(widget, 0, Qt::AlignHCenter);
    layout->addLayout(line);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_emptiness == Emptiness::AllFiltered)
            Q_EMIT filterClearWanted();
        else
            Q_EMIT connectWanted();
    });
    keepTranslated(*this, [this] { retranslate(); });
}

void EmptyState::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    makeRoom();
}

void EmptyState::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    makeRoom();
}

// The text is needed more than the picture, and must not be cut. Its width is not known while it is hidden.
void EmptyState::makeRoom() {
    const int width = isVisible() ? m_text->width() : m_text->maximumWidth();
    m_text->setFixedHeight(std::max(m_text->heightForWidth(width), 0));
    int needed = layout()->contentsMargins().top() + layout()->contentsMargins().bottom();
    for (const QWidget* widget : std::initializer_list<QWidget*>{m_headline, m_text, m_button})
        needed += widget->isHidden() ? 0 : widget->sizeHint().height() + layout()->spacing();
    setMinimumHeight(needed);
    m_icon->setVisible(height() >= needed + iconSide + layout()->spacing());
}

void EmptyState::explain(Emptiness emptiness, const ConnectionStatus& status, const monitor::MonitorStats& stats,
                         int rows, const Hiding& hiding) {
    m_emptiness = emptiness;
    m_status = status;
    m_stats = stats;
    m_rows = rows;
    m_hiding = hiding;
    retranslate();
}

void EmptyState::retranslate() {
    switch (m_emptiness) {
        case Emptiness::None:
            set(QString(), QString(), QString(), QString());
            return;
        case Emptiness::NotConnected:
            set(QStringLiteral("disconnect"), tr("Not connected"),
                tr("Connect to a Redis server to see the locks that Redisson keeps there."), tr("Co&nnect…"));
            return;
        case Emptiness::Connecting:
            set(QStringLiteral("phase-connecting"), tr("Connecting to %1 …").arg(serverText(m_status)), QString(),
                QString());
            return;
        case Emptiness::NoLocks:
            set(QStringLiteral("lock-free"), tr("No locks yet"), sweepText(m_stats), QString());
            return;
        case Emptiness::AllFiltered:
            set(QStringLiteral("search"), tr("Nothing matches"),
                tr("All %Ln known lock(s) are hidden: %1.", nullptr, m_rows).arg(hidingText()), tr("&Show all locks"));
            return;
    }
}

QString EmptyState::hidingText() const {
    QStringList reasons;
    if (m_hiding.byFilter)
        reasons << tr("by the filter");
    if (m_hiding.asFree)
        reasons << tr("because they are free");
    if (m_hiding.asSound)
        reasons << tr("because nothing is wrong with them");
    return reasons.join(tr(", or ", "between reasons why locks are hidden"));
}

void EmptyState::set(const QString& iconName, const QString& headline, const QString& text, const QString& button) {
    m_icon->setIcon(icon(iconName, Tone::Quiet));
    m_headline->setText(headline);
    m_text->setText(shortened(text, longestExplanation));
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    makeRoom();
}

}  // namespace lockkeeper::ui

#include "moc_emptystate.cpp"
