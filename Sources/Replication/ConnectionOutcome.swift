/// The yield of one connection so far, which decides when the next one comes (`RetryPolicy`) and with how many transfers it
/// begins (`WindowPolicy`).
///
/// A fruit is not the same for both. A document that the gateway has refused has crossed the line, so that no fewer transfers
/// are needed; but each connection may bring that refusal again, so that the attempts are counted on.
enum ConnectionOutcome: Sendable, Hashable {
    /// None, or one on which the gateway has not answered: it shows nothing about the line.
    case silent
    /// The gateway has answered, and nothing has come across since then.
    case fruitless
    case fruitful

    mutating func gatewayAnswered() {
        if case .silent = self { self = .fruitless }
    }
}
