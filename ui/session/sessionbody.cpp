// SPDX-License-Identifier: Apache-2.0
#include "ui/session/sessionbody.h"

#include "lab/demostory.h"
#include "ui/base/leastheight.h"
#include "ui/base/messagebar.h"
#include "ui/connections/nodebanner.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/replay/replaybar.h"
#include "ui/session/connectionbanner.h"
#include "ui/session/demoguide.h"
#include "ui/session/lossbanner.h"

#include <QVBoxLayout>

namespace lockkeeper::ui {

SessionBody::SessionBody(LockTableModel& locks, const ViewTime& time, Clock& clock, ReplayEngine* replay,
                         QWidget* parent)
    : QWidget(parent),
      m_locks(locks),
      m_time(time),
      m_locksPage(new LocksPage(locks, time, clock, this)),
      m_messages(new MessageBar(clock, this)),
      m_banner(new ConnectionBanner(clock, this)),
      m_nodes(new NodeBanner(time, this)),
      m_demoGuide(new DemoGuide(this)),
      m_losses(new LossBanner(clock, this)) {
    m_messages->setObjectName(QStringLiteral("messageBar"));
    makeLayout(replay);
    connectBanners();
    connect(m_locksPage, &LocksPage::connectWanted, this, &SessionBody::connectWanted);
    connect(&m_locksPage->selection(), &LockSelection::changed, this, &SessionBody::currentChanged);
    connect(m_locksPage, &LocksPage::filterChanged, this, &SessionBody::currentChanged);
}

void SessionBody::makeLayout(ReplayEngine* replay) {
    keepHighEnough(*this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    if (replay)
        layout->addWidget(new ReplayBar(*replay, this));
    layout->addWidget(m_losses);
    layout->addWidget(m_banner);
    layout->addWidget(m_nodes);
    layout->addWidget(m_demoGuide);
    layout->addWidget(m_locksPage, 1);
    layout->addWidget(m_messages);
}

void SessionBody::connectBanners() {
    connect(m_banner, &ConnectionBanner::retryWanted, this, &SessionBody::retryWanted);
    connect(m_banner, &ConnectionBanner::retryNowWanted, this, &SessionBody::retryNowWanted);
    connect(m_banner, &ConnectionBanner::editWanted, this, &SessionBody::editWanted);
    connect(m_banner, &ConnectionBanner::masterWanted, this, &SessionBody::masterWanted);
    connect(m_banner, &ConnectionBanner::clusterWanted, this, &SessionBody::clusterWanted);
    connect(m_nodes, &NodeBanner::nodesWanted, this, &SessionBody::nodesWanted);
    connect(m_demoGuide, &DemoGuide::lockChosen, m_locksPage, &LocksPage::reveal);
    connect(m_losses, &LossBanner::lockChosen, m_locksPage, &LocksPage::reveal);
}

void SessionBody::setStatus(const ConnectionStatus& status) {
    m_locksPage->setStatus(status);
    m_banner->follow(status, m_time, m_locks.rowCount());
    m_nodes->follow(status);
    m_demoGuide->setStatus(status);
}

void SessionBody::setStats(const monitor::MonitorStats& stats) {
    m_nodes->setStats(stats);
    m_locksPage->setStats(stats);
}

void SessionBody::follow(const monitor::MonitorBatch& batch) {
    m_demoGuide->follow(m_locks.find(lab::demo::lockOfTheDyingWorker()));
    m_locksPage->selection().follow(batch);
    m_locksPage->follow(batch);
}

}  // namespace lockkeeper::ui

#include "moc_sessionbody.cpp"
