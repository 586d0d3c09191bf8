// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/explain/errorfinding.h"
#include "monitor/analyse/explain/explainentry.h"
#include "monitor/analyse/explain/plainline.h"

#include <QByteArrayView>
#include <QFileDevice>
#include <QHash>
#include <QStringDecoder>
#include <QTimeZone>

#include <string>

namespace lockkeeper::monitor {

// Finds the errors about locks in a text of any size, which arrives in pieces: a log, a stack trace, lines of JSON, a
// page of a blog. The memory is bounded: an entry of a log is read in windows, a longer line in pieces, and equal
// errors are counted. How the text is cut into pieces makes no difference. Thread: any one at a time.
class LOCKKEEPER_MONITOR_EXPORT ErrorReader {
public:
    static constexpr size_t longestLine = 16'384;   // bytes; a longer one is read in pieces of this length
    static constexpr size_t longestEntry = 65'536;  // bytes of a window
    static constexpr size_t mostHits = 300;         // explained at once
    static constexpr int mostExplained = 2;         // so often in a window; further hits are not examined

    // zone: of times that name none.
    explicit ErrorReader(const QTimeZone& zone);

    void feed(QByteArrayView text);
    // The text has ended. The reader cannot be used afterwards.
    [[nodiscard]] ErrorReport finish();

    [[nodiscard]] quint64 bytes() const noexcept { return m_report.bytes; }

private:
    struct LineStart {
        size_t at;
        quint64 line;
    };
    enum class Piece { Whole, Begin, Middle, End };
    // How the first line of an entry begins, where no line has a time.
    enum class Opening { Other, Exception, Renewal };
    // One entry of the log.
    struct Entry {
        std::string text;  // the window
        std::vector<LineStart> lineStarts;
        std::vector<PhraseHit> hits;
        int explained = 0;       // how often hits of this window were explained before its end
        std::string head;        // the last line with a time, or its begin
        quint64 headLine = 0;    // its number
        bool isHeadOwn = false;  // the head is the entry's first line
        bool hasFrames = false;  // it has lines of a stack trace
        Opening opening = Opening::Other;
        size_t scanned = 0;  // the state of the scan, while the entry is parked
    };
    // An entry that another thread has interrupted: some programs write the name of the thread before each line.
    struct Parked {
        std::string thread;
        Entry entry;
    };
    static constexpr size_t mostParked = 8;
    // A line of one stream of a container, between the parts of a line of the other stream.
    struct Postponed {
        std::string text;
        quint64 number;
    };
    static constexpr size_t mostPostponed = 65'536;  // bytes

    void begin();
    void take(QByteArrayView text);
    void takeUtf8(std::string_view text);
    void endPiece(bool isLineEnd);
    void takeLine(std::string_view raw, Piece piece);
    void takePiece(std::string_view raw, Piece piece);
    void endPart();
    void takePostponed();
    [[nodiscard]] std::string_view withoutContainerTime(std::string_view line) const;
    [[nodiscard]] std::string plainPiece(std::string_view raw, Piece piece, bool isPart);
    [[nodiscard]] Piece joined(std::string_view raw, Piece piece);
    void beginLine(std::string_view line);
    void beginEntry(std::string_view line);
    void leaveEntry();
    void resumeEntry(std::string_view line);
    void scan(size_t from);
    void addHit(const PhraseHit& hit);
    void slideWindow();
    void closeEntry(bool isAtEnd);
    void explain(const std::vector<PhraseHit>& hits, bool isAtEnd);
    void addFinding(FoundInEntry found);
    void closeParked(const std::string& thread);
    [[nodiscard]] quint64 lineAt(size_t place) const;
    [[nodiscard]] QString excerptAt(size_t place) const;
    [[nodiscard]] static Opening openingOf(std::string_view line);
    [[nodiscard]] bool beginsEntry(std::string_view line) const;

    const QTimeZone m_zone;
    PhraseScan m_scan = scanForFamilies();
    ErrorReport m_report;
    QByteArray m_beginning;  // until it is known what kind of text it is
    bool m_isBegun = false;
    std::optional<QStringDecoder> m_decoder;  // of UTF-16
    std::string m_line;                       // the piece that is not complete
    bool m_isInLongLine = false;
    bool m_isEscapedLine = false;                        // the long line has escapes
    ContainerPart m_part = ContainerPart::None;          // of the present line of the text
    bool m_isInPart = false;                             // the line before was a part of one that continues
    ContainerStream m_stream = ContainerStream::Output;  // of that part
    bool m_isOfContainer = false;                        // the present line has a time of the container's log
    std::vector<Postponed> m_postponed;
    size_t m_postponedBytes = 0;
    quint64 m_number = 0;  // of the present line
    Entry m_entry;
    std::vector<Parked> m_parked;  // the one that was left first comes first
    bool m_endsOpen = false;       // the text ends within a line
    quint64 m_zeros = 0;
    QHash<QByteArray, size_t> m_known;  // findings by what they are about
};

// Reads the open file to its end, however long that takes. name: for the error, which is Storage.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<ErrorReport> readErrors(QFileDevice& file, const QString& name,
                                                                       const QTimeZone& zone);

}  // namespace lockkeeper::monitor
