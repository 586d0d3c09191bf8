// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/namememory.h"

#include "ui/base/storedvalues.h"

#include <QCryptographicHash>
#include <QSettings>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto serversKey = QStringLiteral("names/servers");  // newest first

// The name of a server may contain anything, also a slash, which separates groups in a key.
QString settingsKey(const QString& server) {
    const QByteArray hash = QCryptographicHash::hash(server.toUtf8(), QCryptographicHash::Sha1);
    return QStringLiteral("names/") + QString::fromLatin1(hash.toHex());
}

// One more than is kept: an earlier program may have ended before it removed the oldest.
QStringList storedServers(QSettings& settings) {
    return storedTexts(settings, serversKey, NameMemory::mostServers + 1,
                       [](const QString& server) { return !server.isEmpty(); });
}

}  // namespace

QList<LockName> NameMemory::open(const profile::ProfileId& profile, const QString& formerName) {
    close();
    m_profile = profile;
    adopt(formerName);
    load();
    return newestFirst();
}

void NameMemory::close() {
    save();
    m_profile = {};
    m_notedAt.clear();
    m_count = 0;
}

void NameMemory::note(const profile::ProfileId& profile, const std::vector<monitor::SharedRow>& rows) {
    if (m_profile.isEmpty() || profile != m_profile)
        return;
    for (const monitor::SharedRow& row : rows) {
        if (row->lock.isHeld() && row->lock.name.bytes().size() <= longestName)
            m_notedAt.insert(row->lock.name, ++m_count);
    }
    // Going over all names costs too much at each new one, so it is done once for many.
    if (m_notedAt.size() <= 2 * mostNames)
        return;
    QList<quint64> notes = m_notedAt.values();
    const auto oldestKept = notes.end() - mostNames;
    std::nth_element(notes.begin(), oldestKept, notes.end());
    m_notedAt.removeIf([oldest = *oldestKept](const auto& entry) { return *entry < oldest; });
}

void NameMemory::save() {
    if (m_profile.isEmpty() || m_notedAt.isEmpty())
        return;
    QStringList names;
    for (const LockName& name : newestFirst())
        names += QString::fromLatin1(name.bytes().toPercentEncoding());
    m_settings.setValue(settingsKey(m_profile.text()), names);
    forgetOldServers();
}

void NameMemory::adopt(const QString& formerName) {
    const QVariant names = m_settings.value(settingsKey(formerName));
    if (!names.isValid())
        return;
    if (!m_settings.contains(settingsKey(m_profile.text())))
        m_settings.setValue(settingsKey(m_profile.text()), names);
    m_settings.remove(settingsKey(formerName));
    QStringList servers = storedServers(m_settings);
    servers.removeAll(formerName);
    m_settings.setValue(serversKey, servers);
}

void NameMemory::load() {
    constexpr qsizetype longestText = 3 * longestName;  // percent-encoded
    const QStringList names = storedTexts(m_settings, settingsKey(m_profile.text()), mostNames,
                                          [](const QString& name) { return name.size() <= longestText; });
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
    QStringList servers = storedServers(m_settings);
    servers.removeAll(m_profile.text());
    servers.prepend(m_profile.text());
    while (servers.size() > mostServers)
        m_settings.remove(settingsKey(servers.takeLast()));
    m_settings.setValue(serversKey, servers);
}

}  // namespace lockkeeper::ui
