// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/clientlist.h"

namespace lockkeeper::monitor {

namespace {

// Returns the part before the next separator; removes both from `rest`.
QByteArrayView takeUntil(char separator, QByteArrayView& rest) {
    const qsizetype end = rest.indexOf(separator);
    const QByteArrayView taken = end < 0 ? rest : rest.first(end);
    rest = end < 0 ? QByteArrayView() : rest.sliced(end + 1);
    return taken;
}

void setField(ClientListEntry& entry, QByteArrayView name, QByteArrayView value) {
    if (name == "id")
        entry.id = value.toLongLong();
    else if (name == "addr")
        entry.address = value.toByteArray();
    else if (name == "name")
        entry.name = value.toByteArray();
    else if (name == "user")
        entry.user = value.toByteArray();
    else if (name == "flags")
        entry.flags = value.toByteArray();
    else if (name == "sub" || name == "psub" || name == "ssub")
        entry.subscriptions += value.toInt();
    if (name == "ssub")
        entry.shardedSubscriptions = value.toInt();
}

// "id=3 addr=10.0.0.7:53422 name= ...": the server allows no space in a value.
ClientListEntry parseLine(QByteArrayView line) {
    ClientListEntry entry;
    while (!line.isEmpty()) {
        QByteArrayView value = takeUntil(' ', line);
        const QByteArrayView name = takeUntil('=', value);
        setField(entry, name, value.trimmed());
    }
    return entry;
}

}  // namespace

QList<ClientListEntry> parseClientList(QByteArrayView text) {
    QList<ClientListEntry> entries;
    while (!text.isEmpty()) {
        ClientListEntry entry = parseLine(takeUntil('\n', text));
        if (!entry.address.isEmpty())
            entries.append(std::move(entry));
    }
    return entries;
}

}  // namespace lockkeeper::monitor
