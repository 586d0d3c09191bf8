// SPDX-License-Identifier: Apache-2.0
#include "ui/words/holderaliases.h"

#include <QSettings>

namespace lockkeeper::ui {

namespace {

std::optional<HolderId> holderIn(const QString& entry) {
    return HolderId::parse(entry.section(u' ', 0, 0).toLatin1() + ":0");
}

}  // namespace

QString HolderAliases::settingsKey() {
    return QStringLiteral("holders/aliases");
}

bool HolderAliases::isEntry(const QString& text) {
    return holderIn(text) && !text.section(u' ', 1).isEmpty();
}

HolderAliases HolderAliases::load(const QSettings& settings) {
    HolderAliases aliases;
    for (const QString& entry : settings.value(settingsKey()).toStringList()) {
        // The file may have been edited by hand.
        if (const std::optional<HolderId> holder = holderIn(entry))
            aliases.set(holder->client(), entry.section(u' ', 1));
    }
    return aliases;
}

void HolderAliases::save(QSettings& settings) const {
    QStringList entries;
    for (const ClientId& client : m_oldestFirst)
        entries << QString::fromLatin1(client.bytes()) + u' ' + of(client);
    settings.setValue(settingsKey(), entries);
}

void HolderAliases::set(const ClientId& client, const QString& alias) {
    // One line, without control characters that were pasted with the alias.
    const QString text = LockName(alias.simplified().left(longest).toUtf8()).display();
    m_oldestFirst.removeAll(client);
    m_aliases.remove(client);
    if (text.isEmpty())
        return;
    if (m_oldestFirst.size() == keptAtMost)
        m_aliases.remove(m_oldestFirst.takeFirst());
    m_oldestFirst.append(client);
    m_aliases.insert(client, text);
}

QString HolderAliases::display(const HolderId& holder) const {
    constexpr qsizetype telling = 8;  // characters of a UUID
    if (holder.isOfOtherProgram())
        return withAlias(holder.client(), holder.display());
    const ClientId client = holder.client();
    const QString thread = u':' + QString::number(static_cast<qint64>(holder.thread()));
    if (const QString alias = of(client); !alias.isEmpty())
        return alias + thread;
    const QString host = m_hosts.value(client);
    return host.isEmpty() ? holder.display() : host + u'/' + QString::fromLatin1(client.bytes().left(telling)) + thread;
}

QString HolderAliases::fullDisplay(const HolderId& holder) const {
    return withAlias(holder.client(), holder.display());
}

QString HolderAliases::fullDisplay(const ClientId& client) const {
    return withAlias(client, QString::fromLatin1(client.bytes()));
}

QString HolderAliases::withAlias(const ClientId& client, const QString& id) const {
    const QString alias = of(client);
    const QString known = alias.isEmpty() ? m_hosts.value(client) : alias;
    return known.isEmpty() ? id : QStringLiteral("%1 (%2)").arg(known, id);
}

}  // namespace lockkeeper::ui
