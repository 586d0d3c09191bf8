// SPDX-License-Identifier: Apache-2.0
#include "serve/http/acceptedform.h"
#include "serve/http/audience.h"
#include "serve/http/requestreader.h"

#include <cstdlib>

using namespace lockkeeper::serve;

// Requests of a client, in two parts: how they are cut must make no difference.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    constexpr qsizetype most = 8192;
    const QByteArrayView bytes(data, static_cast<qsizetype>(size));
    RequestReader whole(most);
    (void)whole.add(bytes);
    RequestReader inParts(most);
    const qsizetype cut = size == 0 ? 0 : data[0] % static_cast<qsizetype>(size);
    (void)inParts.add(bytes.first(cut));
    (void)inParts.add(bytes.sliced(cut));
    if (whole.state() != inParts.state())
        std::abort();
    if (whole.state() == RequestReader::State::Complete) {
        if (whole.request().path != inParts.request().path)
            std::abort();
        (void)acceptedForm(whole.request().header("accept"));
        (void)isOwnHost(whole.request().header("host"));
    }
    return 0;
}
