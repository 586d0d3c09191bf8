// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/holderfield.h"

#include <QRegularExpression>

namespace lockkeeper::monitor {

namespace {

const QByteArray writeSuffix = QByteArrayLiteral(":write");
constexpr qsizetype transactionLength = 32;

bool isHex(QByteArrayView text) {
    return std::ranges::all_of(text, [](char digit) {
        return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f') || (digit >= 'A' && digit <= 'F');
    });
}

bool endsWithTransaction(QByteArrayView field) {
    return field.size() > transactionLength && field[field.size() - transactionLength - 1] == ':' &&
           isHex(field.last(transactionLength));
}

}  // namespace

// A thread id never has 32 digits, so it cannot be confused with a transaction id.
std::optional<HolderField> HolderField::parse(QByteArrayView field) {
    HolderField parsed;
    if (endsWithTransaction(field)) {
        parsed.transaction = field.last(transactionLength).toByteArray();
        field.chop(transactionLength + 1);
    }
    if (field.endsWith(writeSuffix)) {
        parsed.writes = true;
        field.chop(writeSuffix.size());
    }
    const std::optional<HolderId> id = HolderId::parse(field);
    if (!id)
        return std::nullopt;
    parsed.id = *id;
    return parsed;
}

std::optional<HolderField> HolderField::parseAny(QByteArrayView field) {
    if (std::optional<HolderField> known = parse(field))
        return known;
    HolderField parsed;
    parsed.writes = field.endsWith(writeSuffix);
    if (parsed.writes)
        field.chop(writeSuffix.size());
    const std::optional<HolderId> id = HolderId::parseAny(field);
    if (!id)
        return std::nullopt;
    parsed.id = *id;
    return parsed;
}

bool isLockByNameOnly(const LockSnapshot& lock) {
    static const QRegularExpression uuid(QStringLiteral("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"));
    const QList<LockField> fields = lock.otherProgram();
    return !fields.isEmpty() && std::ranges::none_of(fields, [](const LockField& field) {
        return QString::fromLatin1(field.name).contains(uuid);
    });
}

HolderField HolderField::of(const Holder& holder) {
    return {holder.id, holder.mode == HoldMode::Write, holder.transaction};
}

QByteArray HolderField::bytes() const {
    const QByteArray holder = writes ? id.bytes() + writeSuffix : id.bytes();
    return transaction ? holder + ':' + *transaction : holder;
}

}  // namespace lockkeeper::monitor
