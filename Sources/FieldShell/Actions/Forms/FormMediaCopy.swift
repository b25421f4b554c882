import DocumentValues
import FieldModels
import FieldRecords
import Foundation

/// A picture of a form, as a file for the desktop's viewer.
struct FormMediaCopy {
    let session: ShellSession

    /// - Returns: where the copy is, while it is there.
    func open(_ bytes: [UInt8], name: Name) throws -> String? {
        guard PhotoViewer.shows(name) else {
            throw UsageError(
                "\(name.text.printableLine) is no picture; the program that opens it may do more than show it.")
        }
        let viewer = PhotoViewer(session.environment.variables)
        let folder = try session.photoCopies.makeFolder()
        do {
            // The name is the author's: nothing but its ending is used.
            let ending = name.text.split(atByte: ".").last.map(String.init) ?? "png"
            let file = folder.appendingPathComponent("picture.\(ending)")
            try FieldFolder.writePrivately(bytes, to: file, isDurable: false)
            try viewer.show(file)
        } catch {
            session.photoCopies.remove(folder)
            throw error
        }
        if viewer.isWaitedFor { session.photoCopies.remove(folder) }
        return "Opened \(name.text.printableLine)."
    }
}
