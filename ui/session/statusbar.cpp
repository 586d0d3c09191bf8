// SPDX-License-Identifier: Apache-2.0
#include "ui/session/statusbar.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/retranslating.h"
#include "ui/base/statusfield.h"
#include "ui/connections/phaseicon.h"
#include "ui/connections/recordingfield.h"
#include "ui/words/errortext.h"
#include "ui/words/locktext.h"
#include "ui/words/nodetext.h"
#include "ui/words/phasetext.h"
#include "ui/words/watchingtext.h"

#include <QToolButton>

#include <cmath>

namespace lockkeeper::ui {

StatusBar::StatusBar(QWidget* parent)
    : QStatusBar(parent),
      m_connection(new StatusField(this)),
      m_readOnly(new StatusField(this)),
      m_pinned(new StatusField(this)),
      m_recording(new StatusField(this)),
      m_faulty(addFaultyButton()),
      m_own(addField(QStringLiteral("statusOwn"))),
      m_storm(addField(QStringLiteral("statusStorm"))),
      m_litter(addField(QStringLiteral("statusLitter"))),
      m_denied(addField(QStringLiteral("statusDenied"))),
      m_nodes(addField(QStringLiteral("statusNodes"))),
      m_observation(addField(QStringLiteral("statusObservation"))),
      m_locks(addField(QStringLiteral("statusLocks"))),
      m_reads(addField(QStringLiteral("statusReads"))),
      m_sweep(addField(QStringLiteral("statusSweep"))) {
    m_connection->setObjectName(QStringLiteral("statusConnection"));
    m_readOnly->setObjectName(QStringLiteral("statusReadOnly"));
    m_pinned->setObjectName(QStringLiteral("statusPinned"));
    // A narrow window cuts the last figures off; they must not make the window wider.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    addWidget(m_connection);
    addWidget(m_readOnly);
    addWidget(m_pinned);
    m_recording->setObjectName(QStringLiteral("statusRecording"));
    addWidget(m_recording);
    keepTranslated(*this, [this] { retranslate(); });
}

void StatusBar::retranslate() {
    describeFields();
    m_faulty->setToolTip(helpTip(tr("Show only the locks that something may be wrong with")));
    m_faulty->setWhatsThis(
        helpTip(tr("How many locks something may be wrong with. The details of each lock show what was seen.")));
    setOwnLocks(m_ownLocks);
    setStatus(ConnectionStatus(m_status));
    setRecording(recording::RecordingStatus(m_recordingStatus));
}

void StatusBar::setRecording(const recording::RecordingStatus& status) {
    m_recordingStatus = status;
    showRecording(*m_recording, status);
}

void StatusBar::describeFields() {
    m_connection->describe(tr("Connection"), tr("Which server is watched, and whether it answers."));
    m_readOnly->describe(tr("Access"), tr("Whether this connection may change anything on the server, or only read."));
    m_pinned->describe(tr("Certificate"),
                       tr("How the certificates of the servers are checked, where that is not the usual way."));
    describeRecordingField(*m_recording);
    m_own->describe(tr("Locks held by this console"),
                    tr("Locks that were taken with Acquire here. They are renewed until they are released."));
    m_storm->describe(tr("Script storm"),
                      tr("Clients that ask a server again and again for scripts that it does not have."));
    m_litter->describe(
        tr("Left over on the server"),
        tr("Tokens of fenced locks that stay on the server for good once their lock is free: a sample."));
    m_denied->describe(tr("What cannot be seen"),
                       tr("What the server refuses or this user may not ask, and what is not seen for that."));
    m_nodes->describe(tr("Nodes"),
                      tr("How many masters of the Cluster are watched. The panel of the nodes lists them."));
    m_observation->describe(tr("Watching"),
                            tr("How changes of known locks are learned: the best way that the server offers and the "
                               "rights allow. The tool tip names its blind spots."));
    m_locks->describe(tr("Locks"), tr("Locks known here: held ones, and free ones until they are forgotten."));
    m_reads->describe(tr("Reads"),
                      tr("What watching costs the server: reads of locks a second, and the limit that is kept."));
    m_sweep->describe(tr("Discovery"),
                      tr("How much of the database has been searched for locks. A lock with a new name "
                         "is found when this search is complete, or before."));
}

QToolButton* StatusBar::addFaultyButton() {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("statusFaulty"));
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIcon(icon(QStringLiteral("warning"), Tone::Warning));
    button->setIconSize(QSize(14, 14));
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, &StatusBar::faultyLocksWanted);
    addPermanentWidget(button);
    return button;
}

void StatusBar::setFaultyLocks(int count) {
    m_faulty->setText(tr("%Ln lock(s) with a diagnosis", nullptr, count));
    m_faulty->setVisible(count > 0);
}

StatusField* StatusBar::addField(const QString& objectName) {
    auto* field = new StatusField(this);
    field->setObjectName(objectName);
    addPermanentWidget(field);
    return field;
}

void StatusBar::setStatus(const ConnectionStatus& status) {
    m_status = status;
    if (status.phase == ConnectionPhase::Connecting)
        m_stats.reset();
    const QString version =
        status.serverVersion.isEmpty() ? tr("version not known") : tr("Redis %1").arg(status.serverVersion);
    const bool connected = status.phase == ConnectionPhase::Connected;
    m_connection->set(phaseIcon(status), phaseText(status), connected ? version : QString());
    m_readOnly->set(icon(QStringLiteral("read-only")), status.readOnly ? tr("Never writes") : QString(),
                    tr("No command that writes can leave this program"));
    m_pinned->set(
        icon(QStringLiteral("warning"), Tone::Warning),
        status.pinned ? tr("Certificate pinned, not verified") : QString(),
        tr("Any server that shows the certificate with the pinned fingerprint is accepted: its name, its dates "
           "and its authority are not checked"));
    showStats();
}

void StatusBar::setStats(const std::optional<monitor::MonitorStats>& stats) {
    m_stats = stats;
    showStats();
}

void StatusBar::setOwnLocks(int count) {
    m_ownLocks = count;
    m_own->set(icon(QStringLiteral("lock-own"), Tone::Good),
               count > 0 ? tr("%Ln held here", nullptr, count) : QString(), tr("Locks that this console holds"));
}

void StatusBar::showStats() {
    if (m_stats && m_status.phase == ConnectionPhase::Connected) {
        showStats(*m_stats);
        return;
    }
    for (StatusField* field : {m_storm, m_litter, m_denied, m_nodes, m_observation, m_locks, m_reads, m_sweep})
        field->set({}, {});
    setFaultyLocks(0);
}

void StatusBar::showStats(const monitor::MonitorStats& stats) {
    QStringList unseen = denialTexts(stats.denied);
    if (stats.eventsDropped > 0)
        unseen << tr("%Ln event(s) came too fast and were dropped", nullptr, static_cast<int>(stats.eventsDropped));
    m_denied->set(icon(QStringLiteral("warning"), Tone::Warning),
                  unseen.isEmpty() ? QString() : tr("%Ln limit(s)", nullptr, static_cast<int>(unseen.size())),
                  unseen.join(QLatin1Char('\n')));
    setFaultyLocks(stats.faultyLocks);
    m_storm->set(icon(QStringLiteral("warning"), Tone::Warning), stormText(stats),
                 stormToolTip(stats, std::chrono::system_clock::now()));
    m_litter->set(icon(QStringLiteral("warning"), Tone::Warning), litterText(stats), litterToolTip(stats));
    m_nodes->set(hasLostNode(stats.nodes) ? icon(QStringLiteral("warning"), Tone::Warning) : QIcon(),
                 nodesText(stats.nodes), nodesToolTip(stats.nodes));
    if (m_status.watchesNothing) {
        for (StatusField* field : {m_observation, m_reads, m_sweep})
            field->set({}, {});
        m_locks->set(
            {}, tr("%1 held of %2 known, as last seen").arg(numberText(stats.heldLocks), numberText(stats.knownLocks)));
        return;
    }
    m_observation->set({}, sourceText(stats.observation), sourceToolTip(stats));
    m_locks->set({}, tr("%1 held of %2 known").arg(numberText(stats.heldLocks), numberText(stats.knownLocks)));
    m_reads->set({},
                 tr("%1 of %2 reads/s")
                     .arg(numberText(std::llround(stats.readsPerSecond)), numberText(stats.readBudgetPerSecond)),
                 tr("Reads of locks in the last second, and the budget for them"));
    const bool whole = stats.sweepsDone > 0 && stats.discovery == monitor::DiscoveryState::Running &&
                       !hasLostNode(stats.nodes) && stats.unservedSlots.isEmpty();
    m_sweep->set(whole ? icon(QStringLiteral("ok"), Tone::Good) : QIcon(), discoveryText(stats),
                 discoveryToolTip(stats));
}

}  // namespace lockkeeper::ui

#include "moc_statusbar.cpp"
