// SPDX-License-Identifier: Apache-2.0
#include "recording/enumnumbers.h"

namespace lockkeeper::recording {

namespace {

template <typename T>
qint64 numberAs(const AnyCause& cause) {
    const std::optional<T> value = cause.as<T>();
    return value ? enumNumber(*value) : noEnumNumber;
}

template <typename T>
std::optional<AnyCause> causeAs(qint64 number) {
    const std::optional<T> value = enumeratorOf<T>(number);
    return value ? std::optional<AnyCause>(*value) : std::nullopt;
}

// A cause is of one enum: all others have no number for it.
template <typename... T>
qint64 numberAmong(const AnyCause& cause, std::type_identity<std::tuple<T...>>) {
    return std::max({numberAs<T>(cause)...});
}

template <typename... T>
std::optional<AnyCause> causeAmong(qint64 number, std::type_identity<std::tuple<T...>>) {
    for (const std::optional<AnyCause>& cause : {causeAs<T>(number)...}) {
        if (cause)
            return cause;
    }
    return std::nullopt;
}

}  // namespace

qint64 causeNumber(const AnyCause& cause) {
    return numberAmong(cause, std::type_identity<RecordedCauses>());
}

std::optional<AnyCause> causeOf(qint64 number) {
    return causeAmong(number, std::type_identity<RecordedCauses>());
}

}  // namespace lockkeeper::recording
