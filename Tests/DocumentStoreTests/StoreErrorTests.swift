@testable import DocumentStore
import Foundation
import GRDB
import Testing

/// What people and programs learn of a failure: what kind it is, of which file, and the way out.
@Suite struct StoreErrorTests {
    private struct Case: Sendable {
        let number: Int32
        let code: StoreError.Code
        /// Part of it; `nil` for none.
        let hint: String?
    }

    // MARK: SQLite

    private static let sqlite = [
        Case(number: 13, code: .diskFull, hint: "Free some space"),
        Case(number: 8, code: .notWritable, hint: "Check the owner"),
        // Of a file that was moved away.
        Case(number: 8 | 4 << 8, code: .notWritable, hint: "Check the owner"),
        Case(number: 14, code: .cannotOpenFile, hint: "Check that the folder exists"),
        Case(number: 3, code: .cannotOpenFile, hint: "Check that the folder exists"),
        Case(number: 23, code: .cannotOpenFile, hint: "Check that the folder exists"),
        Case(number: 26, code: .notADatabase, hint: "Restore the folder from a backup"),
        Case(number: 11, code: .corruptData, hint: "Keep a copy of the folder"),
        Case(number: 11 | 3 << 8, code: .corruptData, hint: "Keep a copy of the folder"),
        Case(number: 5, code: .busy, hint: "Try again"), Case(number: 6, code: .busy, hint: "Try again"),
        Case(number: 5 | 2 << 8, code: .busy, hint: "Try again"),
        Case(number: 10, code: .ioError, hint: "The disk may be failing or full"),
        Case(number: 10 | 3 << 8, code: .ioError, hint: "The disk may be failing or full"),
        // The index of the log could not grow.
        Case(number: 10 | 19 << 8, code: .diskFull, hint: "Free some space"),
        Case(number: 7, code: StoreError.Code(rawValue: CBLError.memoryError), hint: nil),
        Case(number: 1, code: .unexpected, hint: nil), Case(number: 19, code: .unexpected, hint: nil),
    ]

    @Test(arguments: sqlite) private func whatSQLiteReportsHasACodeAndAWayOut(one: Case) {
        let error = StoreError.sqlite(one.number, message: "reason", path: "/data/x.sqlite3")
        #expect(error.code == one.code, "\(one.number)")
        #expect(error.context == ["path": "/data/x.sqlite3", "sqlite": "\(one.number)"])
        #expect((error.hint == nil) == (one.hint == nil))
        if let hint = one.hint { #expect(error.hint?.contains(hint) == true, "\(one.number): \(error)") }
    }

    /// Statements and values are the user's data.
    @Test func noStatementIsInAnError() {
        let cause = DatabaseError(
            resultCode: .SQLITE_CORRUPT, message: "malformed", sql: "SELECT 'a secret'", arguments: ["another"])
        let error = StoreError.wrapping(cause, path: "/data/x") as? StoreError
        #expect(error?.code == .corruptData && error?.message == "The database file is damaged.")
        #expect((error?.underlying as? DatabaseError)?.message == "malformed")
        #expect(error.map { !"\($0)".contains("secret") && !"\($0)".contains("another") } == true)
    }

    @Test func othersPassAsTheyAre() {
        struct Own: Error, Equatable {}
        #expect(StoreError.wrapping(Own(), path: "/x") is Own)
        let store = StoreError(.conflict, message: "m")
        #expect((StoreError.wrapping(store, path: "/x") as? StoreError)?.code == .conflict)
        let closed = StoreError.wrapping(DatabaseError(resultCode: .SQLITE_MISUSE), path: "/x") as? StoreError
        #expect(closed?.code == .notOpen, "the connections were closed meanwhile")
        #expect(throws: Own.self) { try translatingErrors(path: "/x") { throw Own() } }
        #expect(
            performing: { try translatingErrors(path: "/x") { throw DatabaseError(resultCode: .SQLITE_FULL) } },
            throws: isCode(.diskFull))
    }

    // MARK: Files

    private static let posix = [
        Case(number: ENOSPC, code: .diskFull, hint: "all earlier saves are whole"),
        Case(number: EDQUOT, code: .diskFull, hint: "all earlier saves are whole"),
        Case(number: EROFS, code: .notWritable, hint: "Copy the folder to another disk"),
        Case(number: EACCES, code: .notWritable, hint: "Check the owner"),
        Case(number: EPERM, code: .notWritable, hint: "Check the owner"),
        Case(number: ENOENT, code: .cannotOpenFile, hint: "Check the path."),
        Case(number: ENOTDIR, code: .cannotOpenFile, hint: "Check the path."),
        Case(number: EIO, code: .ioError, hint: nil),
        Case(number: EMFILE, code: .ioError, hint: nil),
    ]

    @Test(arguments: posix) private func whatTheSystemReportsHasACodeAndAWayOut(one: Case) {
        let error = StoreError.posix(one.number, message: "It failed.", file: URL(fileURLWithPath: "/data/file"))
        #expect(error.code == one.code && error.message.hasSuffix("It failed."))
        #expect((error.hint == nil) == (one.hint == nil))
        if let hint = one.hint { #expect(error.hint?.contains(hint) == true) }
        guard one.code != .diskFull else { return #expect(error.context.isEmpty) }
        #expect(error.context["path"] == "/data/file" && error.context["errno"] == "\(one.number)")
        #expect(error.context["reason"] == String(cString: strerror(one.number)))
    }

    @Test func whatFoundationThrowsIsTheSame() {
        let file = URL(fileURLWithPath: "/data/file")
        let posix = NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC))
        let cases: [(any Error, StoreError.Code)] = [
            (CocoaError(.fileWriteOutOfSpace), .diskFull), (CocoaError(.fileWriteVolumeReadOnly), .notWritable),
            (CocoaError(.fileWriteNoPermission), .notWritable), (CocoaError(.fileReadNoPermission), .notWritable),
            (CocoaError(.fileNoSuchFile), .cannotOpenFile), (CocoaError(.fileReadNoSuchFile), .cannotOpenFile),
            (posix, .diskFull),
            (NSError(domain: NSCocoaErrorDomain, code: 1, userInfo: [NSUnderlyingErrorKey: posix]), .diskFull),
            (CocoaError(.coderReadCorrupt), .ioError), (StoreError(.conflict, message: "own"), .conflict),
        ]
        for (cause, code) in cases {
            let error = StoreError.file(cause, message: "It failed.", file: file)
            #expect(error.code == code, "\(cause)")
            if code == .ioError { #expect(error.context["path"] == "/data/file" && error.underlying != nil) }
        }
    }

    // MARK: As it is shown

    @Test func theTextHasWhatItHappenedToAndTheWayOut() {
        let error = StoreError(.busy, message: "It is locked.", context: ["path": "/x", "blob": "b"], hint: "Wait.")
        #expect("\(error)" == "It is locked. (blob b, path /x) Wait.")
        #expect("\(StoreError(.busy, message: "It is locked."))" == "It is locked.")
        #expect("\(StoreError(.busy, message: "It is locked", hint: "Wait."))" == "It is locked. Wait.")
        let controls = StoreError(.busy, message: "m", context: ["id": "a\u{1B}\n"])
        #expect("\(controls)" == #"m (id a\u{1b}\u{a})"# && controls.context["id"] == "a\u{1B}\n")
    }

    @Test func foundationsErrorHasTheSame() {
        let error = StoreError(.notFound, message: "None.", context: ["document": "a"], hint: "Look.")
        let bridged = error as NSError
        #expect(bridged.domain == "CouchbaseLite" && bridged.code == 7)
        #expect(error.localizedDescription == "\(error)" && error.errorDescription == "\(error)")
        #expect(error.recoverySuggestion == "Look.")
        #expect(error.errorUserInfo[NSLocalizedDescriptionKey] as? String == "\(error)")
    }

    /// Programs compare them with numbers.
    @Test func theNumbersOfCodesStay() {
        let codes: [(StoreError.Code, Int)] = [
            (.notOpen, 6), (.notFound, 7), (.conflict, 8), (.invalidParameter, 9), (.unexpected, 10),
            (.cannotOpenFile, 11),
            (.ioError, 12), (.notWritable, 14), (.corruptData, 15), (.busy, 16), (.unsupported, 19),
            (.notADatabase, 20),
            (.wrongFormat, 21), (.crypto, 22), (.invalidQuery, 23), (.missingIndex, 24), (.invalidQueryParameter, 25),
            (.databaseTooNew, 28), (.badDocumentID, 29), (.diskFull, 1001), (.wrongPassphrase, 1002),
            (.wrongAttachmentStorage, 1003), (.blobMismatch, 1004), (.tooLarge, 1005), (.missingBlob, 1006),
            (.timedOut, 1007),
        ]
        for (code, number) in codes { #expect(code.rawValue == number && StoreError.Code(rawValue: number) == code) }
        #expect(Set(codes.map(\.0)).count == codes.count)
        #expect(
            CBLError.notWriteable == CBLError.notWritable && CBLError.unreadableDatabase == CBLError.notADatabaseFile)
        #expect(
            CBLError.httpBase + 401 == CBLError.httpAuthRequired
                && CBLError.webSocketBase + 6 == CBLError.webSocketAbnormalClose)
    }
}
