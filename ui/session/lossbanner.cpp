// SPDX-License-Identifier: Apache-2.0
#include "ui/session/lossbanner.h"

#include "ui/base/inlinemessage.h"
#include "ui/base/retranslating.h"
#include "ui/words/causetext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype lossesShown = 3;
constexpr qsizetype lossesKept = 1000;

}  // namespace

LossBanner::LossBanner(const Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_clock(clock),
      m_message(new InlineMessage(this)),
      m_show(new QPushButton(m_message)),
      m_dismiss(new QPushButton(m_message)) {
    m_message->setObjectName(QStringLiteral("lossBanner"));
    m_show->setObjectName(QStringLiteral("lossShow"));
    m_dismiss->setObjectName(QStringLiteral("lossDismiss"));
    m_message->addButton(m_show);
    m_message->addButton(m_dismiss);
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT lockChosen(LockName(m_losses.first().lock)); });
    connect(m_dismiss, &QPushButton::clicked, this, &LossBanner::clear);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_message);
    keepTranslated(*this, [this] { retranslate(); });
}

void LossBanner::add(const LockName& lock, locks::LossReason why) {
    m_losses.prepend({lock, why, m_clock.wallNow()});
    if (m_losses.size() > lossesKept)
        m_losses.removeLast();
    retranslate();
    Q_EMIT changed();
}

void LossBanner::clear() {
    if (m_losses.isEmpty())
        return;
    m_losses.clear();
    retranslate();
    Q_EMIT changed();
}

QString LossBanner::textOf(const Loss& loss) const {
    return tr("%1 (%2).", "what happened, a time")
        .arg(lossText(plainName(loss.lock, shortName), loss.why), clockText(loss.at, m_clock.wallNow()));
}

QString LossBanner::lastText() const {
    return m_losses.isEmpty() ? QString() : textOf(m_losses.first());
}

void LossBanner::retranslate() {
    m_show->setText(tr("&Show the lock"));
    m_dismiss->setText(tr("D&ismiss"));
    QStringList lines;
    for (const Loss& loss : m_losses.first(std::min(m_losses.size(), lossesShown)))
        lines << textOf(loss);
    if (m_losses.size() > lossesShown)
        lines << tr("And %Ln more.", nullptr, static_cast<int>(m_losses.size() - lossesShown));
    if (!lines.isEmpty())
        lines << tr(
            "Stop what you were doing under it: another client may do the same now. Check what was done twice or by "
            "half before you acquire it again.");
    m_message->setMessage({Tone::Danger, lines.join(QLatin1Char('\n'))});
}

}  // namespace lockkeeper::ui

#include "moc_lossbanner.cpp"
