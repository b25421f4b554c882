import DocumentValues
import Foundation

/// What two names have in common that people may take for one: letters of other scripts that look like those of the Latin one,
/// accents, and upper case make no difference in it.
struct NameShape: Hashable {
    private let letters: Name

    init(_ name: String) {
        let latin = name.applyingTransform(.toLatin, reverse: false) ?? name
        letters = Name(
            latin.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil))
    }
}
