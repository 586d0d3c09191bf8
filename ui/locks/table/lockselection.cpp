// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/table/lockselection.h"

#include "ui/locks/filter/lockfiltermodel.h"
#include "ui/locks/model/locktablemodel.h"

namespace lockkeeper::ui {

namespace {

// The last known state of a lock that is no longer listed, without its holders: as far as is known it is free.
void letGo(monitor::LockRow& row) {
    row.lock.holders.clear();
    row.lock.ttl.reset();
    row.lock.expiry.reset();
    row.lock.parts.reset();
    row.diagnoses.clear();
    row.throughput.reset();
}

}  // namespace

LockSelection::LockSelection(const LockTableModel& locks, const LockFilterModel& shown, QObject* parent)
    : QObject(parent), m_locks(locks), m_shown(shown) {}

void LockSelection::select(const LockName& name) {
    if (m_name == name)
        return;
    clear();
    m_name = name;
    refresh();
    Q_EMIT changed();
}

void LockSelection::clear() {
    if (!m_name)
        return;
    m_name.reset();
    m_row = {};
    m_lastHeld.reset();
    m_end.reset();
    m_hasEnded = m_isUnlisted = m_isListed = m_isShown = false;
    m_absence = Absence::None;
    Q_EMIT changed();
}

void LockSelection::follow(const monitor::MonitorBatch& batch) {
    if (!m_name)
        return;
    for (const monitor::LockEvent& event : batch.events) {
        if (event.lock.name == *m_name)
            note(event);
    }
    m_isUnlisted = m_isUnlisted || batch.reset;
    refresh();
}

void LockSelection::note(const monitor::LockEvent& event) {
    switch (event.type) {
        case monitor::EventType::Forced:
            m_end = event.type;
            break;
        case monitor::EventType::Released:
        case monitor::EventType::Expired:
        case monitor::EventType::Deleted:
        case monitor::EventType::Gone:
            // A read after a force shows the same as after a release.
            // Without a message it was perhaps deleted.
            if (!event.lock.isHeld() && m_end != monitor::EventType::Forced)
                m_end = event.releaseSign == monitor::ReleaseSign::Message ? event.type : monitor::EventType::Gone;
            break;
        case monitor::EventType::Found:
        case monitor::EventType::Acquired:
        case monitor::EventType::HandedOver:
            m_end.reset();
            break;
        default:
            break;
    }
}

void LockSelection::refresh() {
    if (!m_name)
        return;
    const monitor::LockRow* now = m_locks.find(*m_name);
    m_isListed = now != nullptr;
    m_isShown = now && m_shown.mapFromSource(m_locks.indexOf(*m_name)).isValid();
    m_isUnlisted = m_isUnlisted && !now;
    m_absence = findAbsence(now);
    keepLastHeld(now);
    if (now)
        m_row = *now;
    else
        letGo(m_row);
}

void LockSelection::keepLastHeld(const monitor::LockRow* now) {
    if (now && now->lock.isHeld())
        m_lastHeld.reset();
    else if (m_row.lock.isHeld())
        m_lastHeld = m_row;
}

Absence LockSelection::findAbsence(const monitor::LockRow* now) {
    if (m_isShown || (now && now->lock.isHeld())) {
        m_hasEnded = false;
        return m_isShown ? Absence::None : Absence::Hidden;
    }
    if (m_isUnlisted)
        return Absence::Unlisted;
    m_hasEnded = m_hasEnded || m_row.lock.isHeld();
    if (m_hasEnded)
        return endOfHold();
    return now ? Absence::Hidden : Absence::Forgotten;
}

Absence LockSelection::endOfHold() const {
    switch (m_end.value_or(monitor::EventType::Gone)) {
        case monitor::EventType::Released:
            return Absence::Released;
        case monitor::EventType::Expired:
            return Absence::Expired;
        case monitor::EventType::Deleted:
            return Absence::Deleted;
        case monitor::EventType::Forced:
            return Absence::Forced;
        default:
            return Absence::Ended;
    }
}

}  // namespace lockkeeper::ui

#include "moc_lockselection.cpp"
