import GatewayCore
import HTTPTypes

/// A refusal that carries headers of its own.
struct Refusal: Error {
    let error: GatewayError
    let headers: HTTPFields

    init(_ error: GatewayError, headers: HTTPFields) {
        self.error = error
        self.headers = headers
    }
}
