import FieldRecords
import Foundation

/// The way out for somebody who has forgotten the passphrase of a folder.
enum Forgotten {
    static func advice(_ folder: FieldFolder) -> String {
        let path = folder.url.path
        return """
            If it is forgotten, nobody can open this folder any more, but a new one can be filled from the gateway:
              mv '\(path)' '\(path)-closed'
              fieldbook init, then fieldbook login, then fieldbook sync
            What was sent before comes back, photos too. What was never sent is lost with the passphrase.
            """
    }
}
