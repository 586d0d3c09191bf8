// SPDX-License-Identifier: Apache-2.0
#include "redis/respparser.h"
#include "support/dice.h"
#include "support/testprogram.h"

#include <QTest>

#include <array>

namespace tst_respparser_fuzz {

using namespace lockkeeper;
using namespace lockkeeper::redis;

namespace {

constexpr int cases = 6000;

// Prints what a parser has produced. Doubles are printed as text, so that all NaNs compare equal.
QByteArray written(const RespValue& value) {
    QByteArray text = QByteArray::number(static_cast<int>(value.type)) + ':' + QByteArray::number(value.integer) + ':' +
                      QByteArray::number(value.real) + ':' + value.bytes + '[';
    for (const RespValue& item : value.items)
        text += written(item) + ',';
    return text + ']';
}

// The quoted beginning of a foreign protocol depends on how many bytes had arrived.
QByteArray written(const Error& error) {
    const QStringList arguments = error.cause == Cause::NotRedis ? QStringList() : error.arguments;
    return "error " + QByteArray::number(static_cast<int>(error.cause.as<Cause>().value_or(Cause::None))) + ' ' +
           arguments.join(u' ').toUtf8();
}

// Replies in the order of arrival, and the error that ended the stream.
QByteArray outcomeOf(const QByteArrayList& pieces) {
    RespLimits limits;
    limits.bytesPerString = 1000;
    limits.bytesPerReply = 4000;
    limits.itemsPerReply = 100;
    limits.depth = 5;
    RespParser parser(limits);
    QByteArray outcome;
    for (const QByteArray& piece : pieces) {
        parser.feed(piece);
        for (;;) {
            const Result<std::optional<RespValue>> next = parser.take();
            if (!next)
                return outcome + written(next.error());
            if (!next.value())
                break;
            outcome += written(*next.value()) + '\n';
        }
    }
    return outcome;
}

}  // namespace

// Thousands of well-formed streams with random damage. The parser must not crash (CI runs this with the sanitizers),
// must end, and must produce the same result for every way of cutting the bytes into pieces. The seed is printed;
// LOCKKEEPER_TEST_SEED repeats a run.
class TestRespParserFuzz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysTheSameHoweverTheBytesCome_data() { test::addSeeds(); }
    void saysTheSameHoweverTheBytesCome() {
        QFETCH(uint, seed);
        m_dice = test::Dice(seed);
        int refused = 0;
        for (int i = 0; i < cases; ++i) {
            const QByteArray stream = damaged(wellFormed(3) + wellFormed(3));
            const QByteArray whole = outcomeOf({stream});
            refused += whole.contains("error ") ? 1 : 0;
            QVERIFY2(outcomeOf(inPieces(stream)) == whole,
                     ("case " + QByteArray::number(i) + ": " + stream.toPercentEncoding()).constData());
        }
        QVERIFY2(refused > cases / 10 && refused < cases * 9 / 10,
                 "damage should be found in some streams and not in others");
    }

private:
    QByteArray wellFormed(int depth) {
        static const std::array<QByteArray, 12> scalars{
            "+OK\r\n",         "-ERR x\r\n",        ":123\r\n",
            "$5\r\nhello\r\n", "$0\r\n\r\n",        "_\r\n",
            "#t\r\n",          ",1.5\r\n",          "(123456789012345678901234567890\r\n",
            "$-1\r\n",         "=7\r\ntxt:abc\r\n", "!5\r\nERR y\r\n"};
        if (depth == 0 || m_dice.oneIn(3))
            return m_dice.oneOf(scalars);
        static const std::array<char, 5> types{'*', '~', '>', '%', '|'};
        const char type = m_dice.oneOf(types);
        const size_t entries = m_dice.below(4);
        const size_t items = entries * (type == '%' || type == '|' ? 2 : 1);
        QByteArray bytes = type + QByteArray::number(entries) + "\r\n";
        for (size_t i = 0; i < items; ++i)
            bytes += wellFormed(depth - 1);
        return type == '|' ? bytes + wellFormed(depth - 1) : bytes;
    }

    QByteArray damaged(QByteArray stream) {
        static const QByteArray spice = "+-:$*_,#!=(%~>|\r\n0123456789?\0\xff";
        for (size_t hits = m_dice.below(4); hits > 0 && !stream.isEmpty(); --hits) {
            const auto at = static_cast<qsizetype>(m_dice.below(static_cast<size_t>(stream.size())));
            switch (m_dice.below(5)) {
                case 0:
                    stream[at] = m_dice.oneOf(spice);
                    break;
                case 1:
                    stream.remove(at, static_cast<qsizetype>(m_dice.below(5)));
                    break;
                case 2:
                    stream.insert(
                        at, spice.sliced(static_cast<qsizetype>(m_dice.below(static_cast<size_t>(spice.size())))));
                    break;
                case 3:
                    stream.insert(at, QByteArray("*1\r\n").repeated(static_cast<qsizetype>(m_dice.below(8))));
                    break;
                default:
                    stream.truncate(at);
            }
        }
        return stream;
    }

    QByteArrayList inPieces(const QByteArray& stream) {
        QByteArrayList pieces;
        const size_t longest = m_dice.oneIn(2) ? 1 : 7;
        for (qsizetype at = 0; at < stream.size(); at += pieces.last().size())
            pieces += stream.mid(at, static_cast<qsizetype>(1 + m_dice.below(longest)));
        return pieces;
    }

    test::Dice m_dice;
};

LOCKKEEPER_TEST(TestRespParserFuzz, Guiless)

}  // namespace tst_respparser_fuzz

#include "tst_respparser_fuzz.moc"
