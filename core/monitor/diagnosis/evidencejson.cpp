#include "monitor/diagnosis/evidencejson.h"

#include "base/isotime.h"

namespace lockkeeper::monitor {

namespace {

// An object under construction: each kind of value in its one form.
class Fields {
public:
    Fields& add(const char* name, const HolderId& id) { return insert(name, id.display()); }
    Fields& add(const char* name, WallTime time) { return insert(name, isoTime(time)); }
    Fields& add(const char* name, Milliseconds time) { return insert(name, static_cast<qint64>(time.count())); }
    Fields& add(const char* name, qint64 number) { return insert(name, number); }
    Fields& add(const char* name, const QByteArray& text) { return insert(name, QString::fromUtf8(text)); }
    Fields& add(const char* name, const std::optional<WallTime>& time) { return time ? add(name, *time) : *this; }

    [[nodiscard]] QJsonObject object() const { return m_object; }

private:
    Fields& insert(const char* name, const QJsonValue& value) {
        m_object.insert(QLatin1String(name), value);
        return *this;
    }

    QJsonObject m_object;
};

Fields fieldsOf(const PossibleDoubleHolder& found) {
    return Fields()
        .add("earlier_holder", found.earlier)
        .add("earlier_lease_ends", found.earlierEnds)
        .add("gap_ms", found.gap)
        .add("server_role", found.serverRole);
}

Fields fieldsOf(const WatchdogStopped& found) {
    return Fields()
        .add("holder", found.holder)
        .add("renewals", static_cast<qint64>(found.renewals))
        .add("last_renewal", found.lastRenewal)
        .add("lease_ms", found.lease)
        .add("ends_at", found.endsAt);
}

Fields fieldsOf(const NeverExpires& found) {
    return Fields().add("holder", found.holder).add("held_since", found.heldSince);
}

Fields fieldsOf(const FairQueueBlocked& found) {
    return Fields()
        .add("head", found.head)
        .add("deadline", found.deadline)
        .add("free_since", found.freeSince)
        .add("queued", qint64{found.queued});
}

Fields fieldsOf(const WaitersAsleep& found) {
    return Fields().add("clients", qint64{found.clients}).add("free_since", found.freeSince);
}

Fields fieldsOf(const FairWaiterDropped& found) {
    return Fields().add("waiter", found.waiter).add("since", found.since);
}

Fields fieldsOf(const LeaseRanOut& found) {
    return Fields()
        .add("holder", found.holder)
        .add("lease_ms", found.lease)
        .add("held_since", found.heldSince)
        .add("ended_at", found.endedAt);
}

Fields fieldsOf(const SuspectedOrphan& found) {
    return Fields()
        .add("holder", found.holder)
        .add("held_since", found.heldSince)
        .add("renewals", static_cast<qint64>(found.renewals))
        .add("usual_hold_ms", found.usualHold)
        .add("holds_seen", qint64{found.holdsSeen});
}

Fields fieldsOf(const ReentryLeak& found) {
    return Fields()
        .add("holder", found.holder)
        .add("count", found.count)
        .add("steps_up", qint64{found.stepsUp})
        .add("held_since", found.heldSince);
}

Fields fieldsOf(const ChannelLeftOver& found) {
    return Fields()
        .add("clients", qint64{found.clients})
        .add("free_since", found.freeSince)
        .add("longest_sleep_ms", found.longestSleep);
}

Fields fieldsOf(const FixedLease& found) {
    return Fields()
        .add("holder", found.holder)
        .add("lease_ms", found.lease)
        .add("held_since", found.heldSince)
        .add("ends_at", found.endsAt);
}

}  // namespace

QJsonObject toJson(const Evidence& evidence) {
    return std::visit([](const auto& found) { return fieldsOf(found).object(); }, evidence);
}

}  // namespace lockkeeper::monitor
