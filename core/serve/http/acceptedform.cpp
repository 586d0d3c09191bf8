// SPDX-License-Identifier: Apache-2.0
#include "serve/http/acceptedform.h"

#include <QByteArrayList>

#include <algorithm>

namespace lockkeeper::serve {

namespace {

// One of the media types of an Accept header.
struct MediaRange {
    QByteArray type;
    QByteArray version;
    double quality = 1;
};

MediaRange rangeOf(const QByteArray& text) {
    MediaRange range;
    bool isFirst = true;
    for (const QByteArray& part : text.split(';')) {
        const QByteArray word = part.trimmed().toLower();
        if (std::exchange(isFirst, false))
            range.type = word;
        else if (word.startsWith("version="))
            range.version = word.sliced(8);
        else if (word.startsWith("q="))
            range.quality = word.sliced(2).toDouble();
    }
    return range;
}

}  // namespace

metrics::TextForm acceptedForm(const QByteArray& accept) {
    double openMetrics = 0;
    double text = 0;
    for (const QByteArray& part : accept.split(',')) {
        const MediaRange range = rangeOf(part);
        const bool isOpenMetrics = range.type == "application/openmetrics-text" &&
                                   (range.version.isEmpty() || range.version == "1.0.0" || range.version == "0.0.1");
        if (isOpenMetrics)
            openMetrics = std::max(openMetrics, range.quality);
        else if (range.type == "text/plain" || range.type == "text/*" || range.type == "*/*")
            text = std::max(text, range.quality);
    }
    return openMetrics > 0 && openMetrics >= text ? metrics::TextForm::OpenMetrics : metrics::TextForm::Prometheus;
}

QByteArray contentTypeOf(metrics::TextForm form) {
    return form == metrics::TextForm::OpenMetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                                  : "text/plain; version=0.0.4; charset=utf-8";
}

}  // namespace lockkeeper::serve
