// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/table/columnarrangement.h"

#include "ui/base/storedvalues.h"

#include <QBitArray>
#include <QDataStream>

#include <algorithm>
#include <array>

namespace lockkeeper::ui {

namespace {

using LockColumn = LockTableModel::Column;
using Place = ColumnArrangement::Place;

// "name 320", or "kind 90 hidden", from left to right.
const auto placesKey = QStringLiteral("table/arrangement");
// "state ascending"
const auto sortedKey = QStringLiteral("table/sorted");
// Version 0.1: bytes, most of them Qt's.
const auto formerKey = QStringLiteral("table/shownColumns");

const auto hiddenWord = QStringLiteral("hidden");
const auto ascendingWord = QStringLiteral("ascending");
const auto descendingWord = QStringLiteral("descending");

// Stays, whatever the language and the order of the columns in the program.
QString wordFor(LockColumn column) {
    switch (column) {
        case LockTableModel::State:
            return QStringLiteral("state");
        case LockTableModel::Name:
            return QStringLiteral("name");
        case LockTableModel::DiagnosisColumn:
            return QStringLiteral("diagnosis");
        case LockTableModel::Kind:
            return QStringLiteral("kind");
        case LockTableModel::HolderColumn:
            return QStringLiteral("holder");
        case LockTableModel::Count:
            return QStringLiteral("count");
        case LockTableModel::Ttl:
            return QStringLiteral("ttl");
        case LockTableModel::HeldFor:
            return QStringLiteral("heldSince");
        case LockTableModel::Renewals:
            return QStringLiteral("renewals");
        case LockTableModel::Waiters:
            return QStringLiteral("waiters");
        case LockTableModel::WaitingSinceColumn:
            return QStringLiteral("waitingSince");
        case LockTableModel::Rate:
            return QStringLiteral("rate");
        case LockTableModel::NodeColumn:
            return QStringLiteral("node");
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

std::optional<LockColumn> columnFrom(const QString& word) {
    for (int i = 0; i < LockTableModel::ColumnCount; ++i) {
        if (wordFor(static_cast<LockColumn>(i)) == word)
            return static_cast<LockColumn>(i);
    }
    return std::nullopt;
}

int plausibleWidth(int width) {
    return std::clamp(width, ColumnArrangement::narrowest, ColumnArrangement::widest);
}

QString textOf(const Place& place) {
    const QString text = QStringLiteral("%1 %2").arg(wordFor(place.column)).arg(place.width);
    return place.isShown ? text : text + u' ' + hiddenWord;
}

std::optional<Place> placeFrom(const QString& text) {
    const QStringList words = text.split(u' ');
    const std::optional<LockColumn> column = columnFrom(words.value(0));
    bool isNumber = false;
    const int width = words.value(1).toInt(&isNumber);
    const bool isHidden = words.size() == 3 && words.at(2) == hiddenWord;
    if (!column || !isNumber || (words.size() != 2 && !isHidden))
        return std::nullopt;
    return Place{*column, plausibleWidth(width), !isHidden};
}

bool hasColumn(const QList<Place>& places, LockColumn column) {
    return std::ranges::find(places, column, &Place::column) != places.end();
}

bool isSorting(const QString& text) {
    const QString order = text.section(u' ', 1);
    return columnFrom(text.section(u' ', 0, 0)) && (order == ascendingWord || order == descendingWord);
}

// ---- version 0.1 ----

// Its columns, by their numbers.
constexpr std::array formerColumns{
    LockTableModel::State,   LockTableModel::Name,         LockTableModel::DiagnosisColumn,
    LockTableModel::Kind,    LockTableModel::HolderColumn, LockTableModel::Count,
    LockTableModel::Ttl,     LockTableModel::HeldFor,      LockTableModel::Renewals,
    LockTableModel::Waiters, LockTableModel::Rate,         LockTableModel::NodeColumn};

// The state of a QHeaderView up to what is read here. QHeaderView::restoreState() uses numbers and counts in it
// unchecked, and the containers' own operators reserve as much memory as a count says.
class FormerHeader {
public:
    explicit FormerHeader(const QByteArray& bytes) : m_stream(bytes) { m_stream.setVersion(QDataStream::Qt_5_0); }

    // Nothing if it is damaged.
    std::optional<ColumnArrangement> read() {
        constexpr int marker = 0xff;
        const bool isHeader = number() == marker && number() == 0 && number() == Qt::Horizontal;
        const int order = number();
        const int sorted = number();
        bool isSortShown = false;
        m_stream >> isSortShown;
        const QList<int> places = numbers();
        const QList<int> columns = numbers();
        const QBitArray hidden = bits();
        const bool isPlausible = isHeader && m_stream.status() == QDataStream::Ok && isColumn(sorted) &&
                                 (order == Qt::AscendingOrder || order == Qt::DescendingOrder) &&
                                 areInverse(places, columns);
        if (!isPlausible)
            return std::nullopt;
        ColumnArrangement arrangement;
        arrangement.sorted = formerColumns.at(static_cast<size_t>(sorted));
        arrangement.order = static_cast<Qt::SortOrder>(order);
        for (int i = 0; i < count; ++i) {
            const int column = columns.isEmpty() ? i : columns.at(i);
            const bool isHidden = !hidden.isEmpty() && hidden.testBit(i);  // by place
            arrangement.places << Place{formerColumns.at(static_cast<size_t>(column)), ColumnArrangement::narrowest,
                                        !isHidden};
        }
        return arrangement;
    }

private:
    static constexpr int count = static_cast<int>(formerColumns.size());

    static bool isColumn(int number) { return number >= 0 && number < count; }
    int number() {
        qint32 number = 0;
        m_stream >> number;
        return number;
    }
    // One for each column, or none.
    QList<int> numbers() {
        QList<int> read;
        const int size = number();
        if (size != 0 && size != count)
            m_stream.setStatus(QDataStream::ReadCorruptData);
        for (int i = 0; size == count && i < count; ++i)
            read << number();
        return read;
    }
    QBitArray bits() {
        const int size = number();
        if (size != 0 && size != count)
            m_stream.setStatus(QDataStream::ReadCorruptData);
        if (size != count || m_stream.status() != QDataStream::Ok)
            return {};
        std::array<char, (count + 7) / 8> bytes{};
        if (m_stream.readRawData(bytes.data(), static_cast<int>(bytes.size())) != static_cast<int>(bytes.size()))
            m_stream.setStatus(QDataStream::ReadPastEnd);
        return QBitArray::fromBits(bytes.data(), count);
    }
    // Both are empty as long as no column was moved.
    static bool areInverse(const QList<int>& places, const QList<int>& columns) {
        if (places.size() != columns.size())
            return false;
        for (qsizetype i = 0; i < columns.size(); ++i) {
            if (!isColumn(columns.at(i)) || places.at(columns.at(i)) != i)
                return false;
        }
        return true;
    }

    QDataStream m_stream;
};

std::optional<ColumnArrangement> formerArrangement(const QByteArray& bytes) {
    constexpr quint32 formerFormat = 0x4c4b4304;
    constexpr qsizetype largest = 4096;  // usual: 0.4 KB
    if (bytes.size() > largest)
        return std::nullopt;
    QDataStream stream(bytes);
    quint32 format = 0;
    QByteArray header;
    bool areNodesWanted = false;
    std::array<int, formerColumns.size()> widths{};
    stream >> format >> header >> areNodesWanted;
    for (int& width : widths)
        stream >> width;
    std::optional<ColumnArrangement> arrangement = FormerHeader(header).read();
    if (format != formerFormat || stream.status() != QDataStream::Ok || !arrangement)
        return std::nullopt;
    for (Place& place : arrangement->places) {
        place.width = plausibleWidth(
            widths.at(static_cast<size_t>(std::ranges::find(formerColumns, place.column) - formerColumns.begin())));
        if (place.column == LockTableModel::NodeColumn)
            place.isShown = areNodesWanted;
    }
    return arrangement;
}

}  // namespace

ColumnArrangement ColumnArrangement::completedFrom(const ColumnArrangement& usual) const {
    ColumnArrangement complete = *this;
    for (qsizetype i = 0; i < usual.places.size(); ++i) {
        const Place& missing = usual.places.at(i);
        if (hasColumn(complete.places, missing.column))
            continue;
        const auto before = i == 0 ? complete.places.end()
                                   : std::ranges::find(complete.places, usual.places.at(i - 1).column, &Place::column);
        complete.places.insert(before == complete.places.end() ? complete.places.begin() : before + 1, missing);
    }
    return complete;
}

void saveArrangement(QSettings& settings, const ColumnArrangement& arrangement) {
    QStringList texts;
    for (const Place& place : arrangement.places)
        texts << textOf(place);
    settings.setValue(placesKey, texts);
    settings.setValue(sortedKey, wordFor(arrangement.sorted) + u' ' +
                                     (arrangement.order == Qt::AscendingOrder ? ascendingWord : descendingWord));
    settings.remove(formerKey);
}

std::optional<ColumnArrangement> storedArrangement(QSettings& settings) {
    ColumnArrangement arrangement;
    QList<Place>& places = arrangement.places;
    (void)storedTexts(settings, placesKey, LockTableModel::ColumnCount, [&places](const QString& text) {
        const std::optional<Place> place = placeFrom(text);
        if (!place || hasColumn(places, place->column))
            return false;
        places << *place;
        return true;
    });
    if (places.isEmpty()) {
        const std::optional<QByteArray> former = storedBytes(
            settings, formerKey, [](const QByteArray& bytes) { return formerArrangement(bytes).has_value(); });
        return former ? formerArrangement(*former) : std::nullopt;
    }
    if (const std::optional<QString> sorted = storedText(settings, sortedKey, isSorting)) {
        arrangement.sorted = *columnFrom(sorted->section(u' ', 0, 0));
        arrangement.order = sorted->section(u' ', 1) == ascendingWord ? Qt::AscendingOrder : Qt::DescendingOrder;
    }
    return arrangement;
}

}  // namespace lockkeeper::ui
