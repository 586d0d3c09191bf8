// SPDX-License-Identifier: Apache-2.0
#include "topology/mastertransport.h"

namespace lockkeeper::topology {

namespace {

// Adds the address to the error, because the user did not type it.
Error atMaster(const redis::Endpoint& master, Error error) {
    if (error.cause == Cause::None && error.reply == ReplyKind::None)
        error.text = master.display() + QLatin1String(": ") + error.text;
    return error;
}

}  // namespace

MasterTransport::MasterTransport(MasterSource* source, Dialer dialer) : m_source(source), m_dialer(std::move(dialer)) {}

MasterTransport::~MasterTransport() = default;

void MasterTransport::open() {
    if (!m_source)
        return onFound(Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed));
    connect(m_source, &MasterSource::masterChanged, this, &MasterTransport::onMasterChanged);
    m_source->find().then([this, alive = QPointer(this)](const Result<redis::Endpoint>& master) {
        if (alive)
            onFound(master);
    });
}

// Continues from the event loop: the answer comes from inside a task of the source, and a receiver of failed() may
// delete the source.
void MasterTransport::onFound(const Result<redis::Endpoint>& master) {
    m_changedTo.reset();
    const auto proceed = [this, master] {
        if (m_over)
            return;
        if (master)
            openAt(m_changedTo.value_or(*master));
        else
            fail(master.error());
    };
    QMetaObject::invokeMethod(this, proceed, Qt::QueuedConnection);
}

void MasterTransport::openAt(const redis::Endpoint& master) {
    m_master = master;
    m_inner = m_dialer.dial(master);
    connect(m_inner.get(), &Transport::opened, this, &Transport::opened);
    connect(m_inner.get(), &Transport::readyRead, this, &Transport::readyRead);
    connect(m_inner.get(), &Transport::failed, this, [this](const Error& error) { fail(atMaster(m_master, error)); });
    m_inner->open();
}

void MasterTransport::write(const QByteArray& bytes) {
    if (m_inner)
        m_inner->write(bytes);
}

QByteArray MasterTransport::readAll() {
    return m_inner ? m_inner->readAll() : QByteArray();
}

void MasterTransport::close() {
    if (m_inner && !m_over && m_source)
        m_source->doubt(m_master);
    m_over = true;
    if (m_inner)
        m_inner->close();
}

void MasterTransport::onMasterChanged(const redis::Endpoint& master) {
    m_changedTo = master;
    if (m_inner && master != m_master)
        fail(Error(ErrorCode::ConnectionLost, Cause::MasterChanged, {m_master.display(), master.display()}));
}

void MasterTransport::fail(const Error& error) {
    if (m_over)
        return;
    close();
    Q_EMIT failed(error);
}

}  // namespace lockkeeper::topology

#include "moc_mastertransport.cpp"
