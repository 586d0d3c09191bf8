// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/everywrite.h"

#include <utility>

namespace lockkeeper::monitor {

namespace {

// A push may be as big as everything that was written at once. A push beyond this limit ends the connection.
redis::ConnectionOptions withSmallReplies(redis::ConnectionOptions options, const WriteLimits& limits) {
    options.limits.bytesPerReply = 8 * limits.bytesPerSecond;
    options.limits.bytesPerString = options.limits.bytesPerReply;
    options.limits.itemsPerReply = 8 * limits.keysPerSecond;
    return options;
}

WriteReports stateAt(BroadcastTracking::Obstacle obstacle) {
    switch (obstacle) {
        case BroadcastTracking::Obstacle::NoResp3:
            return WriteReports::NoResp3;
        case BroadcastTracking::Obstacle::LimitUnknown:
            return WriteReports::LimitUnknown;
        case BroadcastTracking::Obstacle::Unlimited:
            return WriteReports::Unlimited;
        case BroadcastTracking::Obstacle::Refused:
            return WriteReports::Refused;
    }
    return WriteReports::NotYet;
}

}  // namespace

EveryWrite::EveryWrite(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport,
                       Clock& clock, const WriteLimits& limits)
    : m_clock(clock),
      m_limits(limits),
      m_tracking(withSmallReplies(options, limits), makeTransport, clock, {}),
      m_pace(limits) {
    connect(&m_tracking, &BroadcastTracking::began, this, &EveryWrite::onBegan);
    connect(&m_tracking, &BroadcastTracking::interrupted, this, &EveryWrite::giveWay);
    connect(&m_tracking, &BroadcastTracking::refused, this, &EveryWrite::onRefused);
    connect(&m_tracking, &BroadcastTracking::written, this, &EveryWrite::onWritten);
}

EveryWrite::~EveryWrite() {
    stop();
}

void EveryWrite::stop() {
    m_isStopped = true;
    m_tracking.disconnect(this);
    m_tracking.close();
    m_clock.cancel(std::exchange(m_rest, Clock::TimerId::None));
}

void EveryWrite::startOver() {
    if (m_state == WriteReports::On)
        return;
    m_clock.cancel(std::exchange(m_rest, Clock::TimerId::None));
    m_tracking.close();
    m_pace.startOver();
    m_isLoadRead = false;
    update();
}

void EveryWrite::noteLoad(std::optional<qint64> commandsPerSecond) {
    m_load = commandsPerSecond;
    m_isLoadRead = true;
    m_tracking.checkLimit();
    update();
}

void EveryWrite::setPaused(bool paused) {
    if (std::exchange(m_isPaused, paused) == paused || m_isStopped)
        return;
    if (paused) {
        m_beforePause = m_state == WriteReports::On ? WriteReports::NotYet : m_state;
        setState(WriteReports::Paused);  // set first, so that the close is not an interruption
        m_tracking.close();
    } else {
        setState(m_beforePause);
        update();
    }
}

// While the connection is open, the number of reports shows the writes better than the server's load does.
void EveryWrite::update() {
    if (m_isStopped || m_isPaused || m_tracking.isOpen() || m_rest != Clock::TimerId::None)
        return;
    if (!m_isLoadRead)
        setState(WriteReports::NotYet);
    else if (!m_load)
        setState(WriteReports::LoadUnknown);
    else if (!m_pace.isQuiet(*m_load))
        setState(WriteReports::Busy);
    else
        m_tracking.open();
}

void EveryWrite::onBegan() {
    m_pace.began(m_clock.now());
    setState(WriteReports::On);
}

void EveryWrite::onWritten(const QByteArrayList& keys) {
    qint64 bytes = 0;
    for (const QByteArray& key : keys)
        bytes += key.size();
    if (m_pace.add(keys.size(), bytes, m_clock.now()))
        Q_EMIT written(keys);
    else
        giveWay();
}

void EveryWrite::giveWay() {
    if (m_state != WriteReports::On)
        return;
    setState(WriteReports::Busy);
    m_tracking.close();
    restFor(m_pace.ended(m_clock.now()));
}

// Tried again later, because the user's rights or the server's settings may change.
void EveryWrite::onRefused(BroadcastTracking::Obstacle obstacle) {
    setState(stateAt(obstacle));
    restFor(m_limits.lastPause);
}

void EveryWrite::restFor(Milliseconds time) {
    m_rest = m_clock.schedule(m_clock.now() + time, [this] {
        m_rest = Clock::TimerId::None;
        update();
    });
}

void EveryWrite::setState(WriteReports state) {
    if (std::exchange(m_state, state) != state)
        Q_EMIT stateChanged();
}

}  // namespace lockkeeper::monitor

#include "moc_everywrite.cpp"
