// SPDX-License-Identifier: Apache-2.0
#include "topology/hashslot.h"

#include <QStringList>

#include <array>

namespace lockkeeper::topology {

namespace {

constexpr quint16 polynomial = 0x1021;

constexpr std::array<quint16, 256> crcTable() {
    std::array<quint16, 256> table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) {
        unsigned crc = byte << 8;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 0x8000) != 0 ? (crc << 1) ^ polynomial : crc << 1;
        table[byte] = static_cast<quint16>(crc);
    }
    return table;
}

constexpr std::array<quint16, 256> table = crcTable();

QByteArrayView taggedPart(QByteArrayView key) noexcept {
    const qsizetype open = key.indexOf('{');
    if (open < 0)
        return key;
    const qsizetype close = key.indexOf('}', open + 1);
    return close > open + 1 ? key.sliced(open + 1, close - open - 1) : key;
}

}  // namespace

HashSlot hashSlotOf(QByteArrayView key) noexcept {
    unsigned crc = 0;
    for (const char byte : taggedPart(key))
        crc = ((crc << 8) ^ table[((crc >> 8) ^ static_cast<unsigned char>(byte)) & 0xff]) & 0xffff;
    return static_cast<HashSlot>(crc % hashSlots);
}

QString displayOf(const QList<SlotRange>& ranges) {
    QStringList texts;
    for (const SlotRange range : ranges)
        texts += range.first == range.last ? QString::number(range.first)
                                           : QStringLiteral("%1-%2").arg(range.first).arg(range.last);
    return texts.join(QLatin1String(", "));
}

}  // namespace lockkeeper::topology
