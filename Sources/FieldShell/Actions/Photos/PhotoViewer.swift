import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Glibc

/// Whatever shows pictures on this desktop.
struct PhotoViewer {
    private let variables: [String: String]

    init(_ variables: [String: String]) { self.variables = variables }

    private static let endings = ["png", "jpg", "jpeg", "gif", "webp", "heic", "heif", "tif", "tiff", "bmp"]

    /// The desktop goes by the name, which a colleague chose. SVG is not among the pictures: it can hold programs.
    static func shows(_ photo: Photo) -> Bool {
        photo.blob.contentType?.hasExactPrefix("image/") == true && shows(Name(photo.name.fileName))
    }

    /// By the ending alone, for a file without a content type.
    static func shows(_ name: Name) -> Bool {
        let name = name.text.lowercased()
        return endings.contains { name.utf8.reversed().starts(with: ".\($0)".utf8.reversed()) }
    }

    /// Without a desktop it is a program of the terminal, or none: nothing shows the picture any more when `show` ends.
    /// A desktop's program goes on.
    var isWaitedFor: Bool { ["DISPLAY", "WAYLAND_DISPLAY"].allSatisfy { (variables[$0] ?? "").isEmpty } }

    func show(_ file: URL) throws {
        let folders = (variables["PATH"] ?? "").split(atByte: ":").map(String.init)
        guard let program = folders.map({ $0 + "/xdg-open" }).first(where: { access($0, X_OK) == 0 }) else {
            throw UsageError("Nothing here shows pictures (xdg-open is missing).", hint: "Save it instead: photo save")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [file.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw UsageError("Nothing here could show \(file.lastPathComponent).", hint: "Save it instead: photo save")
        }
    }
}
