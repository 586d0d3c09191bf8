// SPDX-License-Identifier: Apache-2.0
bool isLoading(const Error& error) {
    return error.text.startsWith(QLatin1String("LOADING"));
}

Error full() {
    return Error(ErrorCode::Storage, QStringLiteral("there is no room"));
}
