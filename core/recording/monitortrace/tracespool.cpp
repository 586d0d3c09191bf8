// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/tracespool.h"

#include "base/regularfile.h"

#include <QBuffer>
#include <QTemporaryFile>

namespace lockkeeper::recording {

namespace {

constexpr qsizetype fullTraceBlock = 256 * 1024;
constexpr qint64 mostInMemory = 16 * 1024 * 1024;

}  // namespace

void TraceSpool::add(const Record& record, WallTime wall, TraceNotes::Kind kind) {
    if (!m_device)
        begin(record, wall, kind);
    m_block.add(record, wall);
    if (m_block.size() >= fullTraceBlock)
        append(sealed(m_block.take()));
}

std::unique_ptr<QIODevice> TraceSpool::take() {
    if (!m_block.isEmpty())
        append(sealed(m_block.take()));
    Block last;
    last.head.kind = BlockKind::End;
    append(sealed(last));
    m_device->seek(0);
    return std::move(m_device);
}

void TraceSpool::begin(const Record& record, WallTime wall, TraceNotes::Kind kind) {
    m_device = std::make_unique<QBuffer>();
    m_device->open(QIODevice::ReadWrite);
    RecordingInfo info;
    info.server = m_server;
    info.program = kind == TraceNotes::Kind::Monitor ? QStringLiteral("MONITOR") : QStringLiteral("redis-cli");
    info.begun = wall;
    info.begunSteady = record.at;
    append(fileHead() + sealed(infoBlock(info, nullptr)));
}

void TraceSpool::append(const QByteArray& bytes) {
    if (m_hasFailed)
        return;
    if (!m_isFile && m_size + bytes.size() > mostInMemory)
        moveToFile();
    m_hasFailed = m_hasFailed || !writeWhole(*m_device, bytes);
    m_size += bytes.size();
}

void TraceSpool::moveToFile() {
    auto file = std::make_unique<QTemporaryFile>();
    m_isFile = true;
    m_device->seek(0);
    m_hasFailed = !file->open() || !writeWhole(*file, m_device->readAll());
    m_device = std::move(file);
}

}  // namespace lockkeeper::recording
