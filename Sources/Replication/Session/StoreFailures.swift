import DocumentStore
import DocumentValues
import SyncProtocol

extension StoreError {
    /// Whether it is a fault of this computer, such as a full disk, and not of one document: then the session ends, and no
    /// document is given up.
    var isOfThisComputer: Bool {
        [.diskFull, .ioError, .notWritable, .notOpen, .busy, .cannotOpenFile].contains(code)
    }
}

extension SyncFailure {
    init(_ error: StoreError) {
        if error.code == .diskFull {
            self.init(.posix, code: Self.noSpaceLeft, message: error.description)
        } else {
            self.init(.liteCore, code: error.code.rawValue, message: error.description)
        }
    }

    /// Any error of the store, of whatever type.
    init(store error: any Error) {
        if let failure = error as? SyncFailure {
            self = failure
        } else if let error = error as? StoreError {
            self.init(error)
        } else {
            self.init(.liteCore, code: CBLError.unexpectedError, message: "\(error)")
        }
    }

    /// Checkpoints were forgotten while a session was open. It ends, and the next one compares everything.
    static let startsOver = untilNextConnection(
        "Checkpoints were forgotten, for a document that is to be fetched again or with a deleted collection: "
            + "everything is compared again")
}
