// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/nodebanner.h"

#include "ui/base/helptip.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/retranslating.h"
#include "ui/words/locktext.h"
#include "ui/words/nodetext.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

NodeBanner::NodeBanner(const ViewTime& time, QWidget* parent)
    : QWidget(parent), m_time(time), m_message(new InlineMessage(this)), m_show(new QPushButton(m_message)) {
    m_message->setObjectName(QStringLiteral("nodeBanner"));
    m_show->setObjectName(QStringLiteral("nodeBannerShow"));
    m_message->addButton(m_show);
    connect(m_show, &QPushButton::clicked, this, &NodeBanner::nodesWanted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_message);
    keepTranslated(*this, [this] { retranslate(); });
}

void NodeBanner::retranslate() {
    m_show->setText(tr("Show &nodes"));
    refresh();
}

void NodeBanner::follow(const ConnectionStatus& status) {
    if (status.phase == ConnectionPhase::Connecting)
        m_stats = {};
    m_watchesNothing = status.watchesNothing;
    refresh();
}

void NodeBanner::setStats(const monitor::MonitorStats& stats) {
    m_stats = stats;
    refresh();
}

// While no node is reached, the connection is lost, and the banner of the connection shows that.
void NodeBanner::refresh() {
    const WallTime now = m_time.wallNow();
    const QString lost = lostNodesText(m_stats.nodes, now);
    const QString text = m_time.isLive() || m_watchesNothing
                             ? sentencesText({silencesText(m_stats), lost, unservedSlotsText(m_stats)})
                             : QString();
    const QString toolTip = lostNodesToolTip(m_stats.nodes, now);
    m_message->setToolTip(text.isEmpty() || toolTip.isEmpty() ? QString() : helpTip(toolTip));
    if (text != m_message->text())
        m_message->setMessage({Tone::Warning, text});
}

}  // namespace lockkeeper::ui

#include "moc_nodebanner.cpp"
