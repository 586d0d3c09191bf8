#include "ui/window/namememory.h"

#include <QCryptographicHash>
#include <QSettings>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto serversKey = QStringLiteral("names/servers");  // newest first

// What a server is called may hold anything, a slash too, which means something in a key.
QString keyOf(const QString& server) {
    const QByteArray hash = QCryptographicHash::hash(server.toUtf8(), QCryptographicHash::Sha1);
    return QStringLiteral("names/") + QString::fromLatin1(hash.toHex());
}

}  // namespace

QList<LockName> NameMemory::open(const QString& server) {
    close();
    m_server = server;
    load();
    return newestFirst();
}

void NameMemory::close() {
    save();
    m_server.clear();
    m_notedAt.clear();
    m_count = 0;
}

void NameMemory::note(const QString& server, const std::vector<monitor::LockRow>& rows) {
    if (m_server.isEmpty() || server != m_server)
        return;
    for (const monitor::LockRow& row : rows) {
        if (row.lock.isHeld() && row.lock.name.bytes().size() <= longestName)
            m_notedAt.insert(row.lock.name, ++m_count);
    }
    // Not at each new name: going over all is worth it once for many.
    if (m_notedAt.size() <= 2 * mostNames)
        return;
    QList<quint64> notes = m_notedAt.values();
    const auto oldestKept = notes.end() - mostNames;
    std::nth_element(notes.begin(), oldestKept, notes.end());
    m_notedAt.removeIf([oldest = *oldestKept](const auto& entry) { return *entry < oldest; });
}

void NameMemory::save() {
    if (m_server.isEmpty() || m_notedAt.isEmpty())
        return;
    QStringList names;
    for (const LockName& name : newestFirst())
        names += QString::fromLatin1(name.bytes().toPercentEncoding());
    m_settings.setValue(keyOf(m_server), names);
    forgetOldServers();
}

void NameMemory::load() {
    const QStringList names = m_settings.value(keyOf(m_server)).toStringList().mid(0, mostNames);
    for (auto name = names.crbegin(); name != names.crend(); ++name)
        m_notedAt.insert(LockName(QByteArray::fromPercentEncoding(name->toLatin1())), ++m_count);
}

QList<LockName> NameMemory::newestFirst() const {
    QList<LockName> names = m_notedAt.keys();
    std::sort(names.begin(), names.end(), [this](const LockName& one, const LockName& other) {
        return m_notedAt.value(one) > m_notedAt.value(other);
    });
    return names.mid(0, mostNames);
}

void NameMemory::forgetOldServers() {
    QStringList servers = m_settings.value(serversKey).toStringList();
    servers.removeAll(m_server);
    servers.prepend(m_server);
    while (servers.size() > mostServers)
        m_settings.remove(keyOf(servers.takeLast()));
    m_settings.setValue(serversKey, servers);
}

}  // namespace lockkeeper::ui
