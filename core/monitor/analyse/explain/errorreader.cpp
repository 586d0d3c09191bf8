// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/errorreader.h"

#include "monitor/analyse/explain/plainline.h"
#include "monitor/analyse/explain/withoutsecrets.h"

#include <algorithm>
#include <cstring>

namespace lockkeeper::monitor {

namespace {

constexpr size_t bytesToKnowKind = 4;
constexpr qint64 bytesAtOnce = 256 * 1024;
// What follows an error, such as its parameters and causes, is read with it: this much at least.
constexpr size_t context = 16'384;
// A window that is full leaves this much for the next one.
constexpr size_t overlap = 20'480;
constexpr size_t longestHead = 300;
constexpr qsizetype longestExcerpt = 300;
// A time belongs to what follows within so many lines.
constexpr quint64 timeIsNear = 30;

// The words in brackets before the message: "[main]", or of an application and its thread "[orders][nio-8080-exec-1]".
// Empty: there are none.
std::string threadOf(std::string_view line) {
    constexpr size_t near = 160;
    std::string_view prefix = line.substr(0, near);
    for (const std::string_view end : {": ", " - ", "\tat ", "    at ", " Caused by"})
        prefix = prefix.substr(0, prefix.find(end));
    std::string thread;
    for (size_t open = prefix.find('['); open != std::string_view::npos; open = prefix.find('[', open)) {
        const size_t close = prefix.find(']', open);
        if (close == std::string_view::npos)
            break;
        thread += prefix.substr(open, close - open + 1);
        open = close;
    }
    return thread;
}

bool startsWith(std::string_view text, std::string_view begin) {
    return text.substr(0, begin.size()) == begin;
}

std::string_view trimmed(std::string_view line) {
    const size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

// Lines that continue the entry before, whatever stands before them: some programs give each line a time.
bool isOfStackTrace(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (startsWith(text, "at ") || startsWith(text, "...") || startsWith(text, "Caused by") ||
        startsWith(text, "Suppressed:"))
        return true;
    constexpr size_t near = 160;
    const std::string_view begin = line.substr(0, near);
    return begin.find("\tat ") != std::string_view::npos || begin.find("    at ") != std::string_view::npos ||
           begin.find(" Caused by: ") != std::string_view::npos;
}

// "java.lang.IllegalStateException: ..."
bool beginsWithException(std::string_view line) {
    if (startsWith(line, "Exception in thread"))
        return true;
    const size_t end = line.find_first_of(": \t");
    const std::string_view word = line.substr(0, end);
    const bool isName = word.find('.') != std::string_view::npos && word.size() < 200;
    return isName && (word.find("Exception") != std::string_view::npos || word.ends_with("Error"));
}

TextKind kindOf(const QByteArray& begin) {
    for (const char* magic : {"\x1f\x8b", "PK\x03\x04", "\x28\xb5\x2f\xfd", "BZh",
                              "\xfd"
                              "7zX"}) {
        if (begin.startsWith(magic))
            return TextKind::Compressed;
    }
    return begin.isEmpty() ? TextKind::Empty : TextKind::Text;
}

// Errors about the same lock are one finding, also with different holders. Without a lock the holder is what the error
// is about.
QByteArray keyOf(const ErrorFinding& finding) {
    QByteArray key = QByteArray::number(static_cast<int>(finding.family)) + ' ' +
                     QByteArray::number(finding.cause ? static_cast<int>(*finding.cause) : -1) + ' ';
    if (!finding.lock.isEmpty())
        return key + 'l' + finding.lock.bytes();
    if (finding.holder)
        return key + 'h' + finding.holder->bytes();
    return finding.client ? key + 'c' + finding.client->bytes() : key;
}

}  // namespace

ErrorReader::ErrorReader(const QTimeZone& zone) : m_zone(zone) {}

void ErrorReader::feed(QByteArrayView text) {
    m_report.bytes += static_cast<quint64>(text.size());
    if (m_isBegun)
        return take(text);
    m_beginning.append(text);
    if (static_cast<size_t>(m_beginning.size()) >= bytesToKnowKind)
        begin();
}

void ErrorReader::begin() {
    m_isBegun = true;
    m_report.kind = kindOf(m_beginning);
    if (m_beginning.startsWith("\xff\xfe"))
        m_decoder.emplace(QStringConverter::Utf16LE);
    else if (m_beginning.startsWith("\xfe\xff"))
        m_decoder.emplace(QStringConverter::Utf16BE);
    take(std::exchange(m_beginning, {}));
}

void ErrorReader::take(QByteArrayView text) {
    if (m_report.kind == TextKind::Compressed)
        return;
    if (!m_decoder)
        return takeUtf8(std::string_view(text.data(), static_cast<size_t>(text.size())));
    const QByteArray utf8 = QString(m_decoder->decode(text)).toUtf8();
    takeUtf8(std::string_view(utf8.constData(), static_cast<size_t>(utf8.size())));
}

void ErrorReader::takeUtf8(std::string_view text) {
    while (!text.empty()) {
        const size_t room = longestLine - m_line.size();
        const size_t lineEnd = text.substr(0, room + 1).find('\n');
        const size_t length = std::min({lineEnd, room, text.size()});
        m_line.append(text.substr(0, length));
        text.remove_prefix(length);
        if (lineEnd == length && !text.empty()) {
            text.remove_prefix(1);
            endPiece(true);
        } else if (m_line.size() == longestLine && !text.empty()) {
            endPiece(false);
        }
    }
}

void ErrorReader::endPiece(bool isLineEnd) {
    const Piece piece =
        m_isInLongLine ? (isLineEnd ? Piece::End : Piece::Middle) : (isLineEnd ? Piece::Whole : Piece::Begin);
    m_isInLongLine = !isLineEnd;
    m_zeros += static_cast<quint64>(std::ranges::count(m_line, '\0'));
    // An escape is not cut.
    const std::string next = isLineEnd ? std::string() : m_line.substr(m_line.size() - openEscape(m_line));
    m_line.resize(m_line.size() - next.size());
    takeLine(m_line, piece);
    m_line = next;
}

// isPart: a container's log has its own time before the piece, which is within a line of the program.
std::string ErrorReader::plainPiece(std::string_view raw, Piece piece, bool isPart) {
    if (piece == Piece::Whole)
        return plainLine(raw);
    m_isEscapedLine = isEscaped(raw) || (m_isEscapedLine && piece != Piece::Begin);
    return plainLine(isPart ? containerContent(raw) : raw, m_isEscapedLine ? Escapes::Used : Escapes::Unknown);
}

// What the piece is of the program's line, which a container's log may have cut into several of the text.
ErrorReader::Piece ErrorReader::joined(std::string_view raw, Piece piece) {
    const bool isBegin = piece == Piece::Whole || piece == Piece::Begin;
    const bool isEnd = piece == Piece::Whole || piece == Piece::End;
    if (isBegin) {
        m_part = containerPart(raw);
        m_stream = containerStream(raw);
    }
    const bool continues = !isBegin || m_isInPart;
    const bool ends = isEnd && m_part != ContainerPart::Partial;
    if (isEnd)
        m_isInPart = m_part == ContainerPart::Partial;
    if (continues)
        return ends ? Piece::End : Piece::Middle;
    return ends ? Piece::Whole : Piece::Begin;
}

void ErrorReader::takeLine(std::string_view raw, Piece pieceOfText) {
    while (raw.ends_with('\r'))
        raw.remove_suffix(1);
    const bool isLineOfText = pieceOfText == Piece::Whole || pieceOfText == Piece::Begin;
    m_report.lines += isLineOfText ? 1 : 0;
    m_number = m_report.lines;
    const bool isOfPart = containerPart(raw) != ContainerPart::None;
    const bool isBetween = m_isInPart && isLineOfText && (!isOfPart || containerStream(raw) != m_stream);
    if (isBetween && isOfPart && pieceOfText == Piece::Whole && m_postponedBytes + raw.size() <= mostPostponed) {
        m_postponed.push_back({std::string(raw), m_number});
        m_postponedBytes += raw.size();
        return;
    }
    if (isBetween)
        endPart();
    takePiece(raw, pieceOfText);
    if (!m_isInPart && !m_postponed.empty() && (pieceOfText == Piece::Whole || pieceOfText == Piece::End))
        takePostponed();
}

// The rest of that line is not in the text.
void ErrorReader::endPart() {
    m_entry.text += '\n';
    m_isInPart = false;
    takePostponed();
}

void ErrorReader::takePostponed() {
    m_postponedBytes = 0;
    for (const Postponed& line : std::exchange(m_postponed, {})) {
        m_number = line.number;
        takePiece(line.text, Piece::Whole);
    }
    m_number = m_report.lines;
}

void ErrorReader::takePiece(std::string_view raw, Piece pieceOfText) {
    const bool isLineOfText = pieceOfText == Piece::Whole || pieceOfText == Piece::Begin;
    const Piece piece = joined(raw, pieceOfText);
    const bool isLine = piece == Piece::Whole || piece == Piece::Begin;
    if (isLine)
        m_isOfContainer = isOfContainer(raw);
    m_report.longLines += isLine && pieceOfText == Piece::Begin ? 1 : 0;
    const std::string line = plainPiece(raw, piece, isLineOfText && !isLine);
    if (isLine)
        beginLine(line);
    const size_t from = m_entry.text.size();
    m_entry.text += line;
    if (piece == Piece::Whole || piece == Piece::End)
        m_entry.text += '\n';
    scan(from);
    if (m_entry.text.size() >= longestEntry)
        slideWindow();
}

void ErrorReader::beginLine(std::string_view line) {
    const bool isOfTrace = isOfStackTrace(line);
    if (beginsEntry(line))
        beginEntry(line);
    else if (isOfTrace && m_entry.isHeadOwn && hasTimeAtBegin(line))
        resumeEntry(line);
    if (m_entry.text.empty())
        m_entry.opening = openingOf(withoutContainerTime(line));
    m_entry.hasFrames = m_entry.hasFrames || isOfTrace;
    m_entry.lineStarts.push_back({m_entry.text.size(), m_number});
}

void ErrorReader::beginEntry(std::string_view line) {
    leaveEntry();
    m_entry.isHeadOwn = hasTimeAtBegin(line);
    if (!m_entry.isHeadOwn)
        return;
    m_entry.head = line.substr(0, longestHead);
    m_entry.headLine = m_number;
    if (!m_parked.empty())
        closeParked(threadOf(m_entry.head));
}

// A line of a stack trace that has a prefix says itself of which thread it is.
void ErrorReader::resumeEntry(std::string_view line) {
    const std::string thread = threadOf(line);
    if (thread.empty() || thread == threadOf(m_entry.head))
        return;
    const auto own = std::ranges::find(m_parked, thread, &Parked::thread);
    if (own == m_parked.end())
        return beginEntry(line);
    Entry entry = std::move(own->entry);
    m_parked.erase(own);
    leaveEntry();
    m_entry = std::move(entry);
    m_scan.resume(m_entry.scanned);
}

// Lines of a stack trace may still follow, behind those of other threads.
void ErrorReader::leaveEntry() {
    const std::string thread = m_entry.hits.empty() || !m_entry.isHeadOwn ? std::string() : threadOf(m_entry.head);
    if (thread.empty())
        return closeEntry(false);
    closeParked(thread);
    if (m_parked.size() == mostParked)
        closeParked(std::string(m_parked.front().thread));
    Entry next;
    next.head = m_entry.head;
    next.headLine = m_entry.headLine;
    m_entry.scanned = m_scan.state();
    m_parked.push_back({thread, std::exchange(m_entry, std::move(next))});
    m_scan.restart();
}

void ErrorReader::closeParked(const std::string& thread) {
    const auto parked = std::ranges::find(m_parked, thread, &Parked::thread);
    if (parked == m_parked.end())
        return;
    Entry present = std::exchange(m_entry, std::move(parked->entry));
    m_parked.erase(parked);
    explain(m_entry.hits, false);
    m_entry = std::move(present);
}

bool ErrorReader::beginsEntry(std::string_view line) const {
    const std::string_view text = trimmed(line);
    if (startsWith(text, "{\"") || startsWith(text, "```"))
        return true;
    if (isOfStackTrace(line))
        return false;
    // The time of a container's log stands before the exception of an entry, too, and begins none.
    const Opening opening = openingOf(withoutContainerTime(line));
    if (hasTimeAtBegin(line) && !(m_isOfContainer && opening == Opening::Exception))
        return true;
    // A list of messages without times: each that begins as the one before is another error.
    return (m_entry.hasFrames && opening == Opening::Exception) ||
           (opening != Opening::Other && opening == m_entry.opening);
}

std::string_view ErrorReader::withoutContainerTime(std::string_view line) const {
    const std::string_view text = trimmed(line);
    const size_t end = text.find(' ');
    const bool hasTime = m_isOfContainer && end != std::string_view::npos && hasTimeAtBegin(text.substr(0, end));
    return hasTime ? trimmed(text.substr(end)) : text;
}

ErrorReader::Opening ErrorReader::openingOf(std::string_view line) {
    if (beginsWithException(line))
        return Opening::Exception;
    return startsWith(line, "Can't update lock") ? Opening::Renewal : Opening::Other;
}

void ErrorReader::scan(size_t from) {
    for (size_t i = from; i < m_entry.text.size(); ++i) {
        const int phrase = m_scan.feed(static_cast<unsigned char>(m_entry.text[i]));
        if (phrase == PhraseScan::nothing)
            continue;
        addHit({phrase, beginOfPhrase(phrase, m_entry.text, i + 1), i + 1});
    }
}

void ErrorReader::addHit(const PhraseHit& hit) {
    if (m_entry.hits.size() == mostHits && m_entry.explained < mostExplained) {
        ++m_entry.explained;
        const auto half = m_entry.hits.begin() + mostHits / 2;
        explain(std::vector<PhraseHit>(m_entry.hits.begin(), half), false);
        m_entry.hits.erase(m_entry.hits.begin(), half);
    }
    if (m_entry.hits.size() < mostHits)
        m_entry.hits.push_back(hit);
    else
        ++m_report.unexamined;
}

// Explains what has enough text behind it, and keeps the rest.
void ErrorReader::slideWindow() {
    const size_t explained = m_entry.text.size() - context;
    std::vector<PhraseHit> complete;
    std::vector<PhraseHit> open;
    std::ranges::partition_copy(m_entry.hits, std::back_inserter(complete), std::back_inserter(open),
                                [explained](const PhraseHit& hit) { return hit.end <= explained; });
    explain(complete, false);
    const size_t gone = m_entry.text.size() - overlap;
    m_entry.text.erase(0, gone);
    for (PhraseHit& hit : open) {
        hit.begin -= std::min(hit.begin, gone);
        hit.end -= gone;
    }
    m_entry.hits = std::move(open);
    m_entry.explained = 0;
    const auto firstKept =
        std::ranges::find_if(m_entry.lineStarts, [gone](const LineStart& start) { return start.at >= gone; });
    const quint64 lineBefore = firstKept == m_entry.lineStarts.begin() ? 0 : std::prev(firstKept)->line;
    m_entry.lineStarts.erase(m_entry.lineStarts.begin(), firstKept);
    for (LineStart& start : m_entry.lineStarts)
        start.at -= gone;
    if (lineBefore > 0)
        m_entry.lineStarts.insert(m_entry.lineStarts.begin(), {0, lineBefore});
}

void ErrorReader::closeEntry(bool isAtEnd) {
    explain(m_entry.hits, isAtEnd);
    m_entry.text.clear();
    m_entry.hits.clear();
    m_entry.explained = 0;
    m_entry.lineStarts.clear();
    m_entry.hasFrames = false;
    m_scan.restart();
}

void ErrorReader::explain(const std::vector<PhraseHit>& hits, bool isAtEnd) {
    if (hits.empty())
        return;
    const bool isHeadNear = m_entry.headLine > 0 && lineAt(hits.front().begin) <= m_entry.headLine + timeIsNear;
    const LogEntry entry{m_entry.text, isHeadNear ? std::string_view(m_entry.head) : std::string_view(), isAtEnd,
                         isAtEnd && m_endsOpen};
    for (FoundInEntry& found : explainEntry(entry, hits, m_zone)) {
        found.finding.line = lineAt(found.at);
        found.finding.excerpt = excerptAt(found.at);
        addFinding(std::move(found));
    }
}

void ErrorReader::addFinding(FoundInEntry found) {
    ErrorFinding& finding = found.finding;
    const QByteArray key = keyOf(finding);
    const auto known = m_known.constFind(key);
    if (known == m_known.cend()) {
        if (m_report.findings.size() == mostFindings) {
            ++m_report.leftOut;
            return;
        }
        m_known.insert(key, m_report.findings.size());
        m_report.findings.push_back(std::move(finding));
        return;
    }
    ErrorFinding& group = m_report.findings[known.value()];
    ++group.count;
    group.hasOtherHolders = group.hasOtherHolders || (finding.holder && finding.holder != group.holder);
    group.certainty = std::min(group.certainty, finding.certainty);
    group.doubt = std::min(group.doubt, finding.doubt);
    group.detail = std::max(group.detail, finding.detail);
    if (!group.holder) {
        group.holder = finding.holder;
        group.client = finding.client;
    }
    if (finding.first && (!group.first || finding.first->at < group.first->at))
        group.first = finding.first;
    if (finding.last && (!group.last || finding.last->at > group.last->at))
        group.last = finding.last;
}

quint64 ErrorReader::lineAt(size_t place) const {
    quint64 line = m_number;
    for (const LineStart& start : m_entry.lineStarts) {
        if (start.at > place)
            break;
        line = start.line;
    }
    return line;
}

QString ErrorReader::excerptAt(size_t place) const {
    const size_t before = place == 0 ? std::string::npos : m_entry.text.rfind('\n', place - 1);
    size_t from = before == std::string::npos ? 0 : before + 1;
    const size_t lineEnd = m_entry.text.find('\n', place);
    const size_t end = lineEnd == std::string::npos ? m_entry.text.size() : lineEnd;
    // Of a long line, the part with the error.
    if (end - from > static_cast<size_t>(longestExcerpt) && place - from > static_cast<size_t>(longestExcerpt) / 2)
        from = place;
    const size_t length = std::min(end - from, static_cast<size_t>(longestExcerpt) * 4);
    const QString line = QString::fromUtf8(m_entry.text.data() + from, static_cast<qsizetype>(length));
    return withoutSecrets(line).trimmed().left(longestExcerpt);
}

ErrorReport ErrorReader::finish() {
    if (!m_isBegun)
        begin();
    m_endsOpen = !m_line.empty();
    if (m_endsOpen)
        endPiece(true);
    if (m_isInPart)
        endPart();
    while (!m_parked.empty())
        closeParked(std::string(m_parked.front().thread));
    closeEntry(true);
    std::ranges::stable_sort(m_report.findings, {}, &ErrorFinding::line);  // those of other threads were closed later
    // One byte in a thousand is more than a few bytes of rubbish in a log.
    if (m_report.kind == TextKind::Text && m_zeros * 1000 > m_report.bytes)
        m_report.kind = TextKind::Binary;
    return std::move(m_report);
}

Result<ErrorReport> readErrors(QFileDevice& file, const QString& name, const QTimeZone& zone) {
    ErrorReader reader(zone);
    for (QByteArray piece = file.read(bytesAtOnce); !piece.isEmpty(); piece = file.read(bytesAtOnce))
        reader.feed(piece);
    if (file.error() != QFileDevice::NoError)
        return Error(ErrorCode::Storage, Cause::FileNotRead, {name, file.errorString()});
    return reader.finish();
}

}  // namespace lockkeeper::monitor
