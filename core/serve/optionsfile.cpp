// SPDX-License-Identifier: Apache-2.0
#include "serve/optionsfile.h"

#include "base/exacttext.h"
#include "base/safetext.h"
#include "serve/servecause.h"

#include <algorithm>

namespace lockkeeper::serve {

namespace {

bool isOptionName(const QString& text) {
    const auto isOfName = [](QChar character) {
        return (character >= u'a' && character <= u'z') || (character >= u'0' && character <= u'9') ||
               character == u'-';
    };
    return !text.isEmpty() && text.front().isLower() && std::ranges::all_of(text, isOfName);
}

Error refusedLine(ServeCause cause, qsizetype number, const QString& text) {
    return Error(ErrorCode::InvalidArgument, cause, {QString::number(number), bounded(safeText(text))});
}

}  // namespace

Result<QStringList> argumentsOf(const QByteArray& bytes, const TakesValue& takesValue) {
    if (bytes.size() > largestOptionsFile)
        return Error(ErrorCode::InvalidArgument, ServeCause::OptionsTooLarge, {QString::number(largestOptionsFile)});
    static const QStringList notInFiles{QStringLiteral("config"), QStringLiteral("help"), QStringLiteral("version")};
    QStringList arguments;
    qsizetype number = 0;
    static const QByteArray byteOrderMark("\xef\xbb\xbf");  // some editors put it there
    const QByteArray lines = bytes.startsWith(byteOrderMark) ? bytes.sliced(byteOrderMark.size()) : bytes;
    for (const QByteArray& line : lines.split('\n')) {
        ++number;
        const std::optional<QString> decoded = decodedUtf8(line);
        if (!decoded)
            return refusedLine(ServeCause::OptionsNotUtf8, number, {});
        const QString text = decoded->trimmed();
        if (text.isEmpty() || text.startsWith(u'#'))
            continue;
        const qsizetype joint = text.indexOf(u'=');
        const QString name = text.left(joint).trimmed();  // all of it without a joint
        if (!isOptionName(name))
            return refusedLine(ServeCause::OptionNameInvalid, number, text);
        if (notInFiles.contains(name))
            return refusedLine(ServeCause::OptionNotInFile, number, name);
        const bool hasValue = joint >= 0;
        if (takesValue(name).value_or(hasValue) != hasValue)
            return refusedLine(hasValue ? ServeCause::OptionWithValue : ServeCause::OptionWithoutValue, number, name);
        const QString value = joint < 0 ? QString() : u'=' + text.sliced(joint + 1).trimmed();
        arguments << QStringLiteral("--") + name + value;
    }
    return arguments;
}

}  // namespace lockkeeper::serve
