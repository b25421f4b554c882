import DocumentValues

/// Texts that cannot be parsed. One that ends too early is said to, as Sync Gateway says it.
extension GatewayError {
    package static func badJSON(_ error: JSONError) -> GatewayError {
        badJSON(error.code == .unexpectedEnd ? "unexpected EOF" : "\(error)")
    }

    package static func invalidJSON(_ error: JSONError) -> GatewayError {
        invalidJSON(error.code == .unexpectedEnd ? "unexpected end of JSON input" : "\(error)")
    }
}
