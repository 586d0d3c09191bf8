// SPDX-License-Identifier: Apache-2.0
#include "ui/session/connectionbanner.h"

#include "ui/base/inlinemessage.h"
#include "ui/base/retranslating.h"
#include "ui/words/causetext.h"
#include "ui/words/errortext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

struct Banner {
    Q_DECLARE_TR_FUNCTIONS(Banner)
};

QString lostText(const ConnectionStatus& status, const QString& at) {
    if (!status.error)
        return Banner::tr("Connection lost %1 - rows below are as last seen then; reconnecting").arg(at);
    return Banner::tr("Connection lost %1 (%2) - rows below are as last seen then; reconnecting")
        .arg(at, reasonText(*status.error));
}

QString replicaText(const ConnectionStatus& status) {
    return status.master.isEmpty()
               ? Banner::tr("%1 is a replica: locks can only be read here, and what it shows may be late.")
                     .arg(serverText(status))
               : Banner::tr("%1 is a replica of %2: locks can only be read here, and what it shows may be late.")
                     .arg(serverText(status), status.master);
}

QString clusterNodeText(const ConnectionStatus& status) {
    return Banner::tr("%1 is one node of a Cluster: the locks of its other nodes are not shown.")
        .arg(serverText(status));
}

// No text while the connection is as it should be.
Message bannerMessage(const ConnectionStatus& status, const ViewTime& time, int rows) {
    const QString at = clockText(time.wallMoment(), time.wallNow());
    if (status.phase == ConnectionPhase::Failed) {
        const Explanation explanation = connectionExplanation(status.error.value_or(Error()), serverText(status));
        return {Tone::Danger, sentencesText({explanation.what, explanation.todo})};
    }
    if (status.phase == ConnectionPhase::Reconnecting)
        return {Tone::Warning, lostText(status, at)};
    if (status.phase == ConnectionPhase::Disconnected && rows > 0)
        return {Tone::Warning, Banner::tr("Disconnected %1 - rows below are as last seen then").arg(at)};
    if (status.phase == ConnectionPhase::Connected && (status.isReplica || status.isClusterNode))
        return {status.isClusterNode ? Tone::Warning : Tone::Info,
                sentencesText({status.isReplica ? replicaText(status) : QString(),
                               status.isClusterNode ? clusterNodeText(status) : QString()})};
    return {};
}

}  // namespace

ConnectionBanner::ConnectionBanner(Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_clock(clock),
      m_message(new InlineMessage(this)),
      m_retry(new QPushButton(m_message)),
      m_retryNow(new QPushButton(m_message)),
      m_edit(new QPushButton(m_message)),
      m_openMaster(new QPushButton(m_message)),
      m_openCluster(new QPushButton(m_message)) {
    m_message->setObjectName(QStringLiteral("banner"));
    m_retry->setObjectName(QStringLiteral("bannerRetry"));
    m_edit->setObjectName(QStringLiteral("bannerEdit"));
    m_message->addButton(m_retry);
    m_retryNow->setObjectName(QStringLiteral("bannerRetryNow"));
    m_message->addButton(m_retryNow);
    m_message->addButton(m_edit);
    m_openMaster->setObjectName(QStringLiteral("bannerOpenMaster"));
    m_message->addButton(m_openMaster);
    m_openCluster->setObjectName(QStringLiteral("bannerOpenCluster"));
    m_message->addButton(m_openCluster);
    connect(m_retry, &QPushButton::clicked, this, &ConnectionBanner::retryWanted);
    connect(m_retryNow, &QPushButton::clicked, this, &ConnectionBanner::retryNowWanted);
    connect(m_edit, &QPushButton::clicked, this, &ConnectionBanner::editWanted);
    connect(m_openMaster, &QPushButton::clicked, this, &ConnectionBanner::masterWanted);
    connect(m_openCluster, &QPushButton::clicked, this, &ConnectionBanner::clusterWanted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_message);
    keepTranslated(*this, [this] { retranslate(); });
}

void ConnectionBanner::retranslate() {
    m_retry->setText(tr("Tr&y again"));
    countDown();
    m_edit->setText(tr("&Edit…"));
    m_openMaster->setText(tr("Open its &master %1").arg(withoutMnemonic(m_master)));
    m_openCluster->setText(tr("Open as a Cl&uster"));
}

void ConnectionBanner::countDown() {
    const auto left = std::chrono::ceil<std::chrono::seconds>(m_nextAttempt.value_or(SteadyTime()) - m_clock.now());
    if (!m_nextAttempt || left <= std::chrono::seconds(0))
        return m_retryNow->setText(tr("&Retry now"));
    m_retryNow->setText(tr("&Retry now (in %1 s)").arg(left.count()));
    m_nextSecond.start(*m_nextAttempt - (left - std::chrono::seconds(1)));
}

void ConnectionBanner::follow(const ConnectionStatus& status, const ViewTime& time, int rows) {
    const bool failed = status.phase == ConnectionPhase::Failed && !status.isRecording;
    m_retry->setVisible(failed);
    m_retryNow->setVisible(status.phase == ConnectionPhase::Reconnecting && !status.isRecording);
    m_nextAttempt = status.nextAttempt;
    m_nextSecond.stop();
    m_edit->setVisible(failed);
    const bool connected = status.phase == ConnectionPhase::Connected && !status.isRecording;
    m_master = connected && status.isReplica && !status.isClusterNode ? status.master : QString();
    m_openMaster->setVisible(!m_master.isEmpty());
    m_openCluster->setVisible(connected && status.isClusterNode);
    retranslate();
    m_message->setMessage(bannerMessage(status, time, rows));
}

}  // namespace lockkeeper::ui

#include "moc_connectionbanner.cpp"
