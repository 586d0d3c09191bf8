// SPDX-License-Identifier: Apache-2.0
#include "ui/events/export/incidentreport.h"

#include "ui/events/export/markdown.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/environmenttext.h"
#include "ui/words/eventtext.h"
#include "ui/words/identitytext.h"
#include "ui/words/locktext.h"
#include "ui/words/threadtext.h"
#include "ui/words/timetext.h"
#include "ui/words/utctext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

struct IncidentWords {
    Q_DECLARE_TR_FUNCTIONS(IncidentWords)
};

constexpr qsizetype mostReported = 20;  // holders or waiters

class Report {
public:
    explicit Report(const Incident& incident) : m_incident(incident) {}

    QString write(const QString& picture) {
        const monitor::LockSnapshot& lock = m_incident.lock.lock;
        m_text = QStringLiteral("# ") + IncidentWords::tr("Lock %1").arg(markdownCode(fullName(lock.name))) +
                 QStringLiteral("\n\n");
        addPlace();
        addState();
        addHolders();
        addThreads(m_incident.lock);
        addWaiters();
        addDiagnoses();
        addLastHold();
        addEvents();
        addActions();
        if (!picture.isEmpty())
            m_text += QStringLiteral("\n![%1](<%2>)\n").arg(IncidentWords::tr("Timeline"), picture);
        return m_text;
    }

private:
    // value: Markdown.
    void add(const QString& name, const QString& value) {
        if (!value.isEmpty())
            m_text += QStringLiteral("- **%1:** %2\n").arg(name, value);
    }
    void addTitle(const QString& title) { m_text += QStringLiteral("\n## %1\n\n").arg(title); }

    void addPlace() {
        add(IncidentWords::tr("Server"), markdownCode(m_incident.server));
        if (!m_incident.label.name.isEmpty())
            add(IncidentWords::tr("Connection"), markdownText(m_incident.label.name));
        add(IncidentWords::tr("Environment"), markdownText(environmentText(m_incident.label.environment)));
        add(IncidentWords::tr("Node"), codeOrNothing(nodeText(m_incident.lock.lock)));
        add(IncidentWords::tr("As of"),
            m_incident.isLive ? utcText(m_incident.at)
                              : IncidentWords::tr("%1, when the server answered last").arg(utcText(m_incident.at)));
        add(IncidentWords::tr("Times"), IncidentWords::tr("UTC"));
        add(IncidentWords::tr("Written by"),
            IncidentWords::tr("Lockkeeper %1").arg(markdownText(QCoreApplication::applicationVersion())));
    }

    void addState() {
        const monitor::LockRow& row = m_incident.lock;
        addTitle(IncidentWords::tr("State"));
        add(IncidentWords::tr("State"), stateText(lockState(row.lock, Ownership::Others)));
        add(IncidentWords::tr("Kind"), kindTextOf(row.lock));
        if (row.lock.isHeld())
            addHold(row, m_incident.moment);
    }
    // moment: the time for which the hold is shown.
    void addHold(const monitor::LockRow& row, SteadyTime moment) {
        const QString age = durationText(toMilliseconds(moment - row.hold.since));
        const QString since = utcText(row.hold.sinceWall);
        add(IncidentWords::tr("Held since"), row.hold.isBeginSeen()
                                                 ? IncidentWords::tr("%1 (for %2)").arg(since, age)
                                                 : IncidentWords::tr("before %1 (for %2 or longer)").arg(since, age));
        if (row.hold.seenBefore)
            add(IncidentWords::tr("Before that"), seenBeforeText(row.hold, utcText));
        add(IncidentWords::tr("TTL"), ttl(row, moment));
        add(IncidentWords::tr("Renewals seen"), renewals(row.hold, moment));
        if (row.lock.token)
            add(IncidentWords::tr("Fencing token"), QString::number(*row.lock.token));
    }
    [[nodiscard]] static QString ttl(const monitor::LockRow& row, SteadyTime moment) {
        if (row.lock.neverExpires())
            return IncidentWords::tr("none, it never expires");
        if (!row.lock.expiry)
            return {};
        const Milliseconds left = std::max(toMilliseconds(row.lock.expiry->earliest - moment), Milliseconds(0));
        return IncidentWords::tr("%1 left, of %2 at most seen").arg(durationText(left), durationText(row.hold.peakTtl));
    }
    [[nodiscard]] static QString renewals(const monitor::Hold& hold, SteadyTime moment) {
        if (hold.renewals == 0)
            return IncidentWords::tr("none");
        return IncidentWords::tr("%Ln, the last %1 ago", nullptr, static_cast<int>(hold.renewals))
            .arg(durationText(toMilliseconds(moment - hold.lastRenewal)));
    }

    void addHolders() {
        const monitor::LockSnapshot& lock = m_incident.lock.lock;
        if (!lock.isHeld())
            return;
        addTitle(IncidentWords::tr("Holder"));
        listHolders(lock);
    }
    void listHolders(const monitor::LockSnapshot& lock) {
        for (const monitor::Holder& holder : lock.holders.first(std::min(mostReported, lock.holders.size())))
            m_text +=
                QStringLiteral("- %1, %2, %3%4\n")
                    .arg(markdownCode(m_incident.knowledge.aliases.fullDisplay(holder.id)),
                         markdownText(modeText(holder)), IncidentWords::tr("count %1").arg(numberText(holder.count)),
                         hostPart(holder.id.client()));
        addMore(lock.holderCount() - std::min(mostReported, lock.holders.size()));
    }
    void addThreads(const monitor::LockRow& row) {
        if (row.threads->isEmpty())
            return;
        addTitle(IncidentWords::tr("Threads"));
        for (const monitor::ThreadVerdict& verdict : row.threads->first(std::min(mostReported, row.threads->size())))
            addThread(verdict);
        addMore(row.threads->size() - std::min(mostReported, row.threads->size()));
    }
    void addThread(const monitor::ThreadVerdict& verdict) {
        m_text += QStringLiteral("- %1: %2\n")
                      .arg(markdownCode(m_incident.knowledge.aliases.fullDisplay(verdict.id)),
                           markdownText(verdictText(verdict, utcText)));
        const monitor::DumpedThread* thread = verdict.thread();
        if (thread && !thread->frames.empty() && verdict.taken != monitor::TakenWhen::BeforeHold)
            m_text += u'\n' + markdownBlock(stackLines(*thread));
    }
    [[nodiscard]] QString hostPart(const ClientId& client) const {
        const auto known = m_incident.knowledge.identities.constFind(client);
        if (known == m_incident.knowledge.identities.cend() || known->basis == monitor::IdentityBasis::None)
            return IncidentWords::tr("; host not known");
        const QString address = markdownCode(QString::fromUtf8(known->address));
        return known->basis == monitor::IdentityBasis::Monitor
                   ? IncidentWords::tr("; host %1, confirmed by MONITOR at %2").arg(address, utcText(known->at))
                   : IncidentWords::tr("; host perhaps %1, a guess made at %2").arg(address, utcText(known->at));
    }

    void addWaiters() {
        const monitor::LockSnapshot& lock = m_incident.lock.lock;
        addTitle(IncidentWords::tr("Waiters"));
        m_text += lock.waiters ? IncidentWords::tr("Clients that wait: %1").arg(waitersText(lock))
                               : IncidentWords::tr("Not known");
        m_text += u'\n';
        for (const monitor::FairWaiter& waiter : lock.fairQueue.first(std::min(mostReported, lock.fairQueue.size())))
            m_text += QStringLiteral("1. %1\n").arg(markdownCode(m_incident.knowledge.aliases.fullDisplay(waiter.id)));
        addMore(lock.fairQueue.size() - std::min(mostReported, lock.fairQueue.size()));
    }
    void addMore(qint64 count) {
        if (count > 0)
            m_text +=
                QStringLiteral("- ") + IncidentWords::tr("and %Ln more", nullptr, static_cast<int>(count)) + u'\n';
    }

    void addDiagnoses() {
        addTitle(IncidentWords::tr("Diagnoses"));
        if (m_incident.lock.diagnoses.isEmpty())
            m_text += IncidentWords::tr("None") + u'\n';
        listDiagnoses(m_incident.lock.diagnoses);
    }
    void listDiagnoses(const QList<monitor::Diagnosis>& diagnoses) {
        for (const monitor::Diagnosis& diagnosis : diagnoses) {
            m_text += QStringLiteral("- **%1.** %2\n").arg(markdownText(diagnosisText(diagnosis)), evidence(diagnosis));
            m_text += QStringLiteral("  - %1\n").arg(markdownText(adviceText(diagnosis.kind())));
        }
    }
    // The receiver of the report asks first who held the lock, also after it was broken.
    void addLastHold() {
        if (!m_incident.lastHeld || m_incident.lock.lock.isHeld())
            return;
        const monitor::LockRow& held = *m_incident.lastHeld;
        addTitle(IncidentWords::tr("The last hold"));
        add(IncidentWords::tr("As read last at"), utcText(held.lock.seenAtWall));
        addHold(held, held.lock.seenAt);
        listHolders(held.lock);
        addThreads(held);
        listDiagnoses(held.diagnoses);
    }
    [[nodiscard]] QString evidence(const monitor::Diagnosis& diagnosis) const {
        return markdownText(evidenceText(diagnosis.evidence, utcText, m_incident.knowledge.aliases));
    }
    void addEvents() {
        addTitle(IncidentWords::tr("Last events"));
        QStringList lines;
        for (const LoggedEvent& event : m_incident.events)
            lines << eventLine(event);
        m_text += lines.isEmpty() ? IncidentWords::tr("None") + u'\n' : markdownBlock(lines);
    }
    void addActions() {
        if (m_incident.actions.isEmpty())
            return;
        addTitle(IncidentWords::tr("What operators did"));
        m_text += markdownBlock(m_incident.actions);
    }
    [[nodiscard]] QString eventLine(const LoggedEvent& event) const {
        const QString holder = event.holder ? m_incident.knowledge.aliases.fullDisplay(event.holder->id) : QString();
        QStringList parts{utcText(event.at), eventText(event.type), holder, detailOf(event)};
        parts.removeAll(QString());
        return parts.join(QStringLiteral("  "));
    }

    static QString codeOrNothing(const QString& text) { return text.isEmpty() ? QString() : markdownCode(text); }

    const Incident& m_incident;
    QString m_text;
};

}  // namespace

QString incidentReport(const Incident& incident, const QString& picture) {
    return Report(incident).write(picture);
}

}  // namespace lockkeeper::ui
