// SPDX-License-Identifier: Apache-2.0
#include "ui/words/programnames.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

bool ProgramNames::renames(const LockName& key) const {
    const QByteArray& bytes = key.bytes();
    const qsizetype added = m_mapper.prefix.size() + m_mapper.suffix.size();
    return added > 0 && bytes.size() > added && bytes.startsWith(m_mapper.prefix) && bytes.endsWith(m_mapper.suffix);
}

// A name may have megabytes, so nothing of it is copied.
QString ProgramNames::shown(const LockName& key, qsizetype length) const {
    if (!renames(key))
        return plainName(key, length);
    const QByteArray& bytes = key.bytes();
    const qsizetype size = bytes.size() - m_mapper.prefix.size() - m_mapper.suffix.size();
    return plainName(LockName(QByteArray::fromRawData(bytes.constData() + m_mapper.prefix.size(), size)), length);
}

QString ProgramNames::keyNote(const LockName& key, qsizetype length) const {
    if (!renames(key))
        return {};
    return QCoreApplication::translate("ProgramNames", "Key on the server: %1").arg(plainName(key, length));
}

QString ProgramNames::withKey(const LockName& key) const {
    const QString note = keyNote(key);
    return note.isEmpty() ? shown(key) : shown(key) + u'\n' + note;
}

}  // namespace lockkeeper::ui
