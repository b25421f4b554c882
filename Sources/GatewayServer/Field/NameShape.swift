import DocumentValues
import Foundation

/// The common shape of names that people may take for one: it ignores accents and case, and which script a letter of Latin
/// shape is from.
struct NameShape: Hashable {
    private let letters: Name

    init(_ name: String) {
        let latin = name.applyingTransform(.toLatin, reverse: false) ?? name
        letters = Name(
            latin.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil))
    }
}
