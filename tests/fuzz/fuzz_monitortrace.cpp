// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/tracetextreader.h"
#include "recording/recordcodec.h"

#include <cstddef>
#include <cstdint>

namespace {

using namespace lockkeeper;
using namespace lockkeeper::recording;

struct Outcome {
    QByteArray records;
    TraceNotes notes;
};

Outcome outcomeOf(QByteArrayView text, qsizetype chunk) {
    BlockBuilder block;
    TraceTextReader reader({}, [&block](const Record& record, WallTime wall) { block.add(record, wall); });
    for (qsizetype at = 0; at < text.size(); at += chunk)
        reader.feed(text.sliced(at, std::min(chunk, text.size() - at)));
    reader.end();
    return {block.take().content, reader.notes()};
}

}  // namespace

// Any text, in one piece and in chunks: the records must be the same.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const QByteArrayView text(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
    const Outcome whole = outcomeOf(text, std::max<qsizetype>(text.size(), 1));
    for (const qsizetype chunk : {1, 13}) {
        const Outcome parts = outcomeOf(text, chunk);
        if (parts.records != whole.records || !(parts.notes == whole.notes))
            __builtin_trap();
    }
    return 0;
}
