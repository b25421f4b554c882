import SyncProtocol

/// With how many transfers at a time the next connection begins: fewer after one that was lost before anything came across.
struct WindowPolicy: Sendable, Hashable {
    private(set) var window = TransferWindow.open
    private var connection = ConnectionOutcome.silent

    /// The gateway has answered.
    mutating func connectionWorked() { connection.gatewayAnswered() }

    /// A blob has arrived.
    mutating func attachmentArrived() { connection = .fruitful }

    /// The state of the connection's documents.
    ///
    /// - Parameter isCaughtUp: nothing is left to do.
    mutating func documents(completed: UInt64, isCaughtUp: Bool) {
        if completed > 0 || isCaughtUp { connection = .fruitful }
        if completed >= ActiveLimits.documentsOfAGoodLine || isCaughtUp { window = .open }
    }

    /// - Parameter isLost: the line is at fault. A gateway that closes the connection shows nothing about the line.
    mutating func connectionEnded(isLost: Bool) {
        if isLost, case .fruitless = connection { window = window.narrowed }
        connection = .silent
    }
}
