// SPDX-License-Identifier: Apache-2.0
#include "jvm/textdump.h"

#include "base/isotime.h"
#include "jvm/dumpreader.h"
#include "jvm/frametext.h"

#include <QDateTime>
#include <QRegularExpression>

namespace lockkeeper::jvm {

namespace {

using Match = QRegularExpressionMatch;

constexpr qsizetype longestLine = 4000;  // characters; the rest of a longer one is passed over
constexpr int mostLinesOfName = 5;       // a thread's name may contain line ends

QRegularExpression form(const char* text) {
    return QRegularExpression(QString::fromLatin1(text));
}

// The lines by which each form is known.
struct Forms {
    QRegularExpression hotSpotBegin = form(R"(Full thread dump (.*?) \(([^ ()]+))");
    // How many threads of Java follow; since Java 10.
    QRegularExpression hotSpotCount = form(R"(_java_thread_list=\S+, length=(\d{1,9}),)");
    // Numbers are written as the machine's language has them: "2,06".
    QRegularExpression hotSpotThread = form(
        R"re((?s)^"(.*)"(?: #(\d+))?(?: \[\d+\])?(?: daemon)?(?: prio=\d+)?(?: os_prio=-?\d+)?(?: cpu=\S+ms)?(?: elapsed=(\S+)s)? (?:allocated=\S+ )?(?:defined_classes=\d+ )?tid=0x)re");
    QRegularExpression threadInfo = form(R"re(^"(.*)"(?: daemon)?(?: prio=\d+)? Id=(\d+) ([A-Z_]+))re");
    QRegularExpression arthasRow =
        form(R"(^ *(-?\d+) +(.+?) +(\S+) +-?\d+ +(NEW|RUNNABLE|BLOCKED|WAITING|TERMINATED|TIMED_W\S*) +[\d.]+)");
    QRegularExpression actuatorThread = form(R"re(^"(.*)" - Thread t@(\d+))re");
    QRegularExpression fileThread = form(R"re(^#(\d+) "(.*)"( virtual)?(?: ([A-Z_]+))?(?: \S+)?$)re");
    QRegularExpression javacoreTime = form(R"(^1TIDATETIME\s+Date:\s+(\d{4}/\d\d/\d\d) at (\d\d:\d\d:\d\d))");
    QRegularExpression javacoreVersion = form(R"(^1CIJAVAVERSION\s+JRE (\S+))");
    QRegularExpression javacoreProcess = form(R"(^1CIPROCESSID\s+Process ID: (\d+))");
    QRegularExpression javacoreThread = form(R"re(^3XMTHREADINFO\s+"(.*)" J9VMThread:.* state:(\w+))re");
    QRegularExpression javacoreNumber = form(R"(^3XMJAVALTHREAD\s+\(java/lang/\w*Thread getId:0x([0-9A-Fa-f]+))");
    QRegularExpression process = form(R"(^(\d{1,9}):?$)");
    QRegularExpression fileTime = form(R"(^\d{4}-\d\d-\d\dT\S+Z$)");
    QRegularExpression time = form(R"(^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$)");
};

const Forms& forms() {
    static const Forms known;
    return known;
}

std::optional<WallTime> wallTimeOf(const QDateTime& time) {
    return time.isValid() ? wallTimeAt(Milliseconds(time.toMSecsSinceEpoch())) : std::nullopt;
}

// "32.65", or "32,65": a thread's age in seconds. A number that no clock can show is no age.
std::optional<Milliseconds> ageOf(QStringView seconds) {
    constexpr double longest = 1e9;
    bool isNumber = false;
    const double age = seconds.toString().replace(u',', u'.').toDouble(&isNumber);
    return isNumber && age <= longest ? std::optional(Milliseconds(qRound64(age * 1000))) : std::nullopt;
}

// Reads line by line. Each form has a function that takes a line of its own and refuses any other.
class TextReader {
public:
    explicit TextReader(const QTimeZone& zone) : m_zone(zone) {}

    void read(const QString& line);
    [[nodiscard]] std::vector<ThreadDump> take();

private:
    void begin(DumpForm form);
    void endThread();
    JavaThread* beginThread(std::optional<qint64> id, QStringView name);
    [[nodiscard]] bool isOpen(DumpForm form) const {
        return !m_dumps.empty() && m_isOpen && m_dumps.back().form == form;
    }
    [[nodiscard]] ThreadDump& dump() { return m_dumps.back(); }

    bool takeHeader(const QString& line);
    bool takeHotSpotBegin(const QString& line);
    bool takeHotSpotCount(const QString& line);
    bool takeHotSpotThread(const QString& line);
    void takeHotSpotHeader(const QString& header, const Match& match);
    bool takeHotSpotEnd(const QString& line);
    bool takeThreadInfo(const QString& line);
    bool takeArthasRow(const QString& line);
    bool takeActuatorThread(const QString& line);
    bool takeFileHead(const QString& line);
    bool takeFileThread(const QString& line);
    bool takeJavacore(const QString& line);
    bool takeJavacoreHead(const QString& line);
    bool takeOfThread(const QString& line);

    const QTimeZone m_zone;
    std::vector<ThreadDump> m_dumps;
    bool m_isOpen = false;      // the last dump takes further threads
    bool m_isInThread = false;  // its last thread takes further frames
    QString m_name;             // the begin of a header whose name has line ends
    int m_nameLines = 0;
    bool m_isMissing = false;         // a thread of the last dump could not be read
    size_t m_announced = 0;           // threads of Java that the last dump says it has
    std::optional<QDateTime> m_time;  // of the line before
    std::optional<qint64> m_process;  // of the line before
    qsizetype m_prefix = 0;           // characters that a logger has put before each line
};

void TextReader::begin(DumpForm form) {
    endThread();
    m_dumps.emplace_back();
    dump().form = form;
    m_isOpen = true;
    m_name.clear();
    m_nameLines = 0;
    m_isMissing = false;
    m_announced = 0;
}

void TextReader::endThread() {
    m_isInThread = false;
}

JavaThread* TextReader::beginThread(std::optional<qint64> id, QStringView name) {
    m_isInThread = dump().threads.size() < mostThreads;
    if (!m_isInThread) {
        dump().isWhole = false;
        return nullptr;
    }
    JavaThread& thread = dump().threads.emplace_back();
    thread.id = id;
    thread.name = threadName(name);
    return &thread;
}

// "Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1 mixed mode, sharing):", with the time a line
// before it.
bool TextReader::takeHotSpotBegin(const QString& line) {
    if (!line.contains(QLatin1String("Full thread dump ")))
        return false;
    const Match match = forms().hotSpotBegin.match(line);
    if (!match.hasMatch())
        return false;
    begin(DumpForm::HotSpot);
    m_prefix = match.capturedStart();
    dump().jvm = QString(match.captured(1) + u' ' + match.captured(2)).trimmed();
    // "(25.392-b08 mixed mode)" of Java 8 is the virtual machine's version.
    const std::optional<int> version = javaVersionOf(match.capturedView(2));
    dump().javaVersion = match.captured(2).contains(QLatin1String("-b")) ? std::optional(8) : version;
    if (m_time)
        dump().at = wallTimeOf(*m_time);
    dump().processId = m_process;
    return true;
}

// "_java_thread_list=0x00007f0960000c40, length=28, elements={"
bool TextReader::takeHotSpotCount(const QString& line) {
    if (!isOpen(DumpForm::HotSpot) || !line.contains(QLatin1String("_java_thread_list=")))
        return false;
    const Match match = forms().hotSpotCount.match(line);
    m_announced = match.hasMatch() ? match.captured(1).toULongLong() : m_announced;
    return true;
}

// "name" #17 [11847] daemon prio=5 os_prio=0 cpu=48.13ms elapsed=32.65s tid=0x.. nid=0x.. waiting on condition [0x..]
// A name may have quotes and "#17" in it: what counts is the last such place. A header that cannot be read ends the
// thread before, to which the frames below do not belong, and the dump is not whole.
bool TextReader::takeHotSpotThread(const QString& line) {
    if (!isOpen(DumpForm::HotSpot))
        return false;
    if (m_name.isEmpty() && !line.startsWith(u'"'))
        return false;
    endThread();
    const QString header = m_name.isEmpty() ? line : m_name + u'\n' + line;
    const Match own = line.startsWith(u'"') ? forms().hotSpotThread.match(line) : Match();
    // The lines before were no part of this name, or may not have been.
    m_isMissing = m_isMissing || (own.hasMatch() && !m_name.isEmpty());
    m_name.clear();
    const Match match = own.hasMatch() || header.size() == line.size() ? own : forms().hotSpotThread.match(header);
    if (match.hasMatch()) {
        takeHotSpotHeader(own.hasMatch() ? line : header, match);
    } else if (++m_nameLines < mostLinesOfName && header.size() < longestLine) {
        m_name = header;
    } else {
        m_nameLines = 0;
        m_isMissing = true;
    }
    return true;
}

void TextReader::takeHotSpotHeader(const QString& header, const Match& match) {
    m_nameLines = 0;
    // What was found is within the name, and what ends the name was not found.
    if (header.indexOf(u'"', match.capturedEnd()) >= 0) {
        m_isMissing = true;
        return;
    }
    const bool hasId = match.capturedLength(2) > 0;
    JavaThread* thread =
        beginThread(hasId ? std::optional(match.captured(2).toLongLong()) : std::nullopt, match.capturedView(1));
    if (thread)
        thread->age = ageOf(match.capturedView(3));
}

// Its last lines: those of the JVM's own threads have no number, and then come counts.
bool TextReader::takeHotSpotEnd(const QString& line) {
    if (!isOpen(DumpForm::HotSpot) || !line.startsWith(QLatin1String("JNI global ref")))
        return false;
    const auto ofJava = static_cast<size_t>(
        std::ranges::count_if(dump().threads, [](const JavaThread& thread) { return thread.id.has_value(); }));
    const bool hasUnread = m_isMissing || !m_name.isEmpty() || ofJava < m_announced;
    dump().isWhole = !hasUnread && dump().threads.size() < mostThreads;
    m_isOpen = false;
    endThread();
    return true;
}

// "http-nio-8080-exec-3" Id=33 TIMED_WAITING on java.util.concurrent.Semaphore$NonfairSync@1a2b3c
bool TextReader::takeThreadInfo(const QString& line) {
    const Match match = forms().threadInfo.match(line);
    if (!match.hasMatch())
        return false;
    if (!isOpen(DumpForm::ThreadInfo))
        begin(DumpForm::ThreadInfo);
    if (JavaThread* thread = beginThread(match.captured(2).toLongLong(), match.capturedView(1)))
        thread->state = stateOf(match.capturedView(3));
    return true;
}

// Arthas's table: ID NAME GROUP PRIORITY STATE %CPU ...
bool TextReader::takeArthasRow(const QString& line) {
    constexpr qsizetype longestRow = 400;
    const QStringView row = QStringView(line).trimmed();
    if (row.size() > longestRow || row.isEmpty() || !(row.front().isDigit() || row.front() == u'-'))
        return false;
    const Match match = forms().arthasRow.match(line);
    if (!match.hasMatch())
        return false;
    if (!isOpen(DumpForm::ThreadInfo))
        begin(DumpForm::ThreadInfo);
    const qint64 id = match.captured(1).toLongLong();
    if (id < 0)  // the JVM's own
        return true;
    if (JavaThread* thread = beginThread(id, match.capturedView(2)))
        thread->state = match.captured(4).startsWith(QLatin1String("TIMED")) ? ThreadState::TimedWaiting
                                                                             : stateOf(match.capturedView(4));
    endThread();
    return true;
}

// "main" - Thread t@1
bool TextReader::takeActuatorThread(const QString& line) {
    const Match match = forms().actuatorThread.match(line);
    if (!match.hasMatch())
        return false;
    if (!isOpen(DumpForm::Actuator))
        begin(DumpForm::Actuator);
    dump().isWhole = false;  // such a text has no end of its own
    (void)beginThread(match.captured(2).toLongLong(), match.capturedView(1));
    return true;
}

// Three lines: process id, time, version. Nothing marks the end of such a file, so it is never known to be whole.
bool TextReader::takeFileHead(const QString& line) {
    if (!isOpen(DumpForm::DumpToFile) || !dump().threads.empty() || !dump().jvm.isEmpty())
        return false;
    if (!dump().javaVersion)
        dump().javaVersion = javaVersionOf(line);
    dump().jvm = line.trimmed();
    return true;
}

// #22 "worker" virtual TIMED_WAITING 2026-11-29T16:35:27Z; the last two since Java 24.
bool TextReader::takeFileThread(const QString& line) {
    const Match match = forms().fileThread.match(line);
    if (!match.hasMatch() || !isOpen(DumpForm::DumpToFile))
        return false;
    if (JavaThread* thread = beginThread(match.captured(1).toLongLong(), match.capturedView(2))) {
        thread->isVirtual = match.capturedLength(3) > 0;
        thread->state = stateOf(match.capturedView(4));
    }
    return true;
}

bool TextReader::takeJavacoreHead(const QString& line) {
    if (!line.startsWith(u'1'))
        return false;
    const Match time = forms().javacoreTime.match(line);
    if (time.hasMatch()) {
        begin(DumpForm::Javacore);
        QDateTime at =
            QDateTime::fromString(time.captured(1) + u' ' + time.captured(2), QStringLiteral("yyyy/MM/dd HH:mm:ss"));
        at.setTimeZone(m_zone);
        dump().at = wallTimeOf(at);
        return true;
    }
    if (!isOpen(DumpForm::Javacore))
        return false;
    const Match version = forms().javacoreVersion.match(line);
    if (version.hasMatch()) {
        dump().jvm = QStringLiteral("OpenJ9 ") + version.captured(1);
        dump().javaVersion = javaVersionOf(version.capturedView(1));
    }
    const Match process = forms().javacoreProcess.match(line);
    if (process.hasMatch())
        dump().processId = process.captured(1).toLongLong();
    return version.hasMatch() || process.hasMatch();
}

// 3XMTHREADINFO "main" J9VMThread:0x.., omrthread_t:0x.., java/lang/Thread:0x.., state:CW, prio=5
// 3XMJAVALTHREAD (java/lang/Thread getId:0x1, isDaemon:false)
// 4XESTACKTRACE at java/lang/Thread.sleep(Native Method)
bool TextReader::takeJavacore(const QString& line) {
    if (takeJavacoreHead(line))
        return true;
    if (!isOpen(DumpForm::Javacore))
        return false;
    const Match begun = forms().javacoreThread.match(line);
    if (begun.hasMatch()) {
        if (JavaThread* thread = beginThread(std::nullopt, begun.capturedView(1))) {
            const QString state = begun.captured(2);
            thread->state = state == QLatin1String("R")   ? ThreadState::Runnable
                            : state == QLatin1String("B") ? ThreadState::Blocked
                            : state == QLatin1String("Z") ? ThreadState::Terminated
                                                          : ThreadState::Waiting;
        }
        return true;
    }
    if (line.startsWith(QLatin1String("1XMEND")) || line.startsWith(QLatin1String("0SECTION       HOOK"))) {
        dump().isWhole = !dump().threads.empty() && dump().threads.size() < mostThreads;
        m_isOpen = false;
    }
    if (!m_isInThread)
        return line.startsWith(QLatin1String("1XMEND"));
    const Match id = forms().javacoreNumber.match(line);
    if (id.hasMatch())
        dump().threads.back().id = id.captured(1).toLongLong(nullptr, 16);
    if (line.startsWith(QLatin1String("4XESTACKTRACE")))
        addFrame(dump().threads.back(), frameOf(QString(line.section(QStringLiteral(" at "), 1)).replace(u'/', u'.')));
    return true;
}

// State and frames of the thread that has begun.
bool TextReader::takeOfThread(const QString& line) {
    constexpr QStringView stateLine = u"java.lang.Thread.State: ";
    const QStringView text = QStringView(line).trimmed();
    if (!m_isInThread) {
        // The header above was none that can be read.
        m_isMissing = m_isMissing || text.startsWith(stateLine);
        return false;
    }
    JavaThread& thread = dump().threads.back();
    if (text.startsWith(u"at ")) {
        addFrame(thread, frameOf(text.sliced(3)));
        return true;
    }
    if (text.startsWith(stateLine)) {
        thread.state = stateOf(text.sliced(stateLine.size()));
        return true;
    }
    if (isOpen(DumpForm::DumpToFile) && line.startsWith(u' '))
        addFrame(thread, frameOf(text));
    return line.startsWith(u' ') || line.startsWith(u'\t');
}

// A file may have millions of lines that are no headers, so their first characters decide before the patterns do.
bool TextReader::takeHeader(const QString& line) {
    if (line.startsWith(u'#'))
        return takeFileThread(line);
    const bool mayBeHeader = line.startsWith(u'"') || !m_name.isEmpty();
    return mayBeHeader && (takeThreadInfo(line) || takeActuatorThread(line) || takeHotSpotThread(line));
}

void TextReader::read(const QString& line) {
    // Nearly all lines are frames.
    const bool isIndented = line.startsWith(u'\t') || line.startsWith(u' ');
    if (isIndented && takeOfThread(line))
        return;
    if (takeHotSpotBegin(line))
        return;
    const bool hasPrefix = m_prefix > 0 && line.size() >= m_prefix && !line.startsWith(u'"') && !isIndented;
    const QString text = hasPrefix ? line.sliced(m_prefix) : line;
    if (isOpen(DumpForm::HotSpot) && text.trimmed().isEmpty())
        endThread();  // a blank line is between two threads
    if (takeHeader(text) || takeHotSpotCount(text) || takeHotSpotEnd(text) || takeFileHead(text) ||
        takeJavacore(text) || takeOfThread(text) || takeArthasRow(text))
        return;
    constexpr qsizetype longestHead = 40;
    const bool mayBeHead = text.size() < longestHead && !text.isEmpty() && text.front().isDigit();
    const Match process = mayBeHead ? forms().process.match(text) : Match();
    if (process.hasMatch()) {
        m_process = process.captured(1).toLongLong();
        return;
    }
    // The three lines before the threads of Thread.dump_to_file; the time is in UTC.
    if (m_process && forms().fileTime.match(text).hasMatch()) {
        begin(DumpForm::DumpToFile);
        dump().processId = m_process;
        dump().at = wallTimeOf(QDateTime::fromString(text, Qt::ISODateWithMs));
        dump().isZoneGiven = true;
        return;
    }
    const Match time = mayBeHead ? forms().time.match(text) : Match();
    if (time.hasMatch()) {
        m_time = QDateTime::fromString(time.captured(1), QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        m_time->setTimeZone(m_zone);
        return;
    }
    if (!text.trimmed().isEmpty())
        m_time.reset();
    m_process.reset();
}

std::vector<ThreadDump> TextReader::take() {
    std::erase_if(m_dumps, [](const ThreadDump& dump) { return dump.threads.empty(); });
    return std::move(m_dumps);
}

}  // namespace

std::vector<ThreadDump> textDumpsIn(const QByteArray& bytes, const QTimeZone& zone) {
    TextReader reader(zone);
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype found = bytes.indexOf('\n', at);
        const qsizetype end = found < 0 ? bytes.size() : found;
        qsizetype length = std::min(end - at, longestLine);
        if (length > 0 && at + length == end && bytes[end - 1] == '\r')
            --length;
        reader.read(QString::fromUtf8(bytes.constData() + at, length));
        at = end + 1;
    }
    return reader.take();
}

}  // namespace lockkeeper::jvm
