// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/errorreader.h"
#include "monitor/format/explainjson.h"

#include <QByteArray>
#include <QTimeZone>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace lockkeeper::monitor;

namespace {

// All that was found, as lines of JSON.
QByteArray written(const ErrorReport& report) {
    QByteArray lines;
    for (const ErrorFinding& finding : report.findings)
        lines += toJsonLine(finding, ErrorState()) + '\n';
    return lines + toJsonLine(report);
}

QByteArray readIn(QByteArrayView text, qsizetype piece) {
    ErrorReader reader((QTimeZone(3600)));
    for (qsizetype from = 0; from < text.size(); from += piece)
        reader.feed(text.sliced(from, std::min(piece, text.size() - from)));
    return written(reader.finish());
}

}  // namespace

// Any text is read without a crash, and its pieces make no difference.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const QByteArrayView text(data, static_cast<qsizetype>(size));
    const QByteArray whole = readIn(text, std::max(text.size(), qsizetype{1}));
    const qsizetype piece = size == 0 ? 1 : data[0] % 61 + 1;
    if (whole != readIn(text, piece))
        std::abort();
    return 0;
}
