import DocumentValues

/// Why the bytes of a file cannot be had.
package struct UnreadableFormFile: UserFacingError {
    /// As the person named it.
    package let file: String
    package let reason: String

    package init(_ reason: String, file: String) {
        self.reason = reason
        self.file = file
    }

    package var description: String { "\(file.printableLine) cannot be read: \(reason.printableLine)." }
}
