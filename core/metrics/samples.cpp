// SPDX-License-Identifier: Apache-2.0
#include "metrics/samples.h"

#include <QLocale>
#include <QString>

#include <cmath>

namespace lockkeeper::metrics {

namespace {

QByteArray bytesOf(std::string_view text) {
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

void appendEscaped(QByteArray& text, QByteArrayView value) {
    const QByteArray utf8 = QString::fromUtf8(value).toUtf8();  // replaces what is no UTF-8
    for (const char byte : utf8) {
        if (byte == '\\')
            text += "\\\\";
        else if (byte == '"')
            text += "\\\"";
        else if (byte == '\n')
            text += "\\n";
        else
            text += byte;
    }
}

const char* typeWord(MetricType type) {
    switch (type) {
        case MetricType::Gauge:
            return "gauge";
        case MetricType::Counter:
            return "counter";
        case MetricType::Histogram:
            return "histogram";
    }
    return "unknown";
}

QByteArray line(std::string_view suffix, const Labels& labels, const QByteArray& value) {
    QByteArray text = bytesOf(suffix);
    if (!labels.text().isEmpty())
        text += '{' + labels.text() + '}';
    return text + ' ' + value + '\n';
}

// Each line of a family's samples behind the name of the family.
void appendSamples(QByteArray& text, const QByteArray& name, const QByteArray& lines) {
    for (qsizetype begin = 0; begin < lines.size();) {
        const qsizetype end = lines.indexOf('\n', begin) + 1;
        text += name;
        text.append(lines.constData() + begin, end - begin);
        begin = end;
    }
}

}  // namespace

Labels Labels::with(std::string_view name, QByteArrayView value) const {
    if (value.isEmpty())
        return *this;
    Labels more = *this;
    if (!more.m_text.isEmpty())
        more.m_text += ',';
    more.m_text += bytesOf(name) + "=\"";
    appendEscaped(more.m_text, value);
    more.m_text += '"';
    return more;
}

QByteArray numberText(double value) {
    if (std::isinf(value))
        return value > 0 ? QByteArrayLiteral("+Inf") : QByteArrayLiteral("-Inf");
    if (std::isnan(value))
        return QByteArrayLiteral("NaN");
    constexpr double exactUpTo = 9007199254740992.0;  // whole numbers of a double
    if (value == std::floor(value) && std::abs(value) < exactUpTo)
        return QByteArray::number(static_cast<qint64>(value));
    return QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
}

QByteArray boundText(double bound) {
    const QByteArray text = numberText(bound);
    const bool isWhole = !text.contains('.') && !text.contains('e') && !text.contains('I');
    return isWhole ? text + ".0" : text;
}

void Samples::add(Metric metric, const Labels& labels, double value) {
    const bool isCounter = familyOf(metric).isCounter();
    m_lines[static_cast<size_t>(metric)] += line(isCounter ? "_total" : "", labels, numberText(value));
}

void Samples::add(Metric metric, const Labels& labels, const Histogram& histogram, const Buckets& bounds) {
    QByteArray& lines = m_lines[static_cast<size_t>(metric)];
    quint64 upTo = 0;
    for (size_t bucket = 0; bucket <= bounds.size(); ++bucket) {
        upTo += histogram.countIn(bucket);
        const QByteArray bound = bucket < bounds.size() ? boundText(bounds[bucket]) : QByteArrayLiteral("+Inf");
        lines += line("_bucket", labels.with("le", bound), QByteArray::number(upTo));
    }
    lines += line("_sum", labels, numberText(histogram.sum()));
    lines += line("_count", labels, QByteArray::number(histogram.count()));
}

QByteArray Samples::text(TextForm form) const {
    const bool isOpenMetrics = form == TextForm::OpenMetrics;
    QByteArray text;
    for (const MetricFamily& family : metricFamilies()) {
        const QByteArray& lines = m_lines[static_cast<size_t>(family.metric)];
        if (lines.isEmpty())
            continue;
        const QByteArray name = bytesOf(family.name);
        // A counter of OpenMetrics is named without _total, its samples with it.
        const QByteArray header = family.isCounter() && !isOpenMetrics ? name + "_total" : name;
        text += "# HELP " + header + ' ' + bytesOf(family.help) + '\n';
        text += "# TYPE " + header + ' ' + typeWord(family.type) + '\n';
        if (isOpenMetrics && !family.unit.empty())
            text += "# UNIT " + header + ' ' + bytesOf(family.unit) + '\n';
        appendSamples(text, name, lines);
    }
    return isOpenMetrics ? text + "# EOF\n" : text;
}

}  // namespace lockkeeper::metrics
