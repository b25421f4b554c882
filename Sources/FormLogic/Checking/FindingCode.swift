/// What a finding is about: codes with `F` are errors, those with `W` warnings.
package enum FindingCode: String, Sendable, Hashable, CaseIterable {
    /// Not YAML; or an anchor, a tag, a second document, a tab as indentation. In CSV a quotation mark that is not closed.
    case unreadable = "F101"
    case unknownKey = "F102"
    case unknownType = "F103"
    /// A name twice among siblings, a repeat's name twice in the form, `meta` at the root.
    case repeatedName = "F104"
    case badName = "F105"
    /// No name, or no label.
    case missingText = "F106"
    case unknownList = "F107"
    case repeatedChoice = "F108"
    case badChoiceName = "F109"
    case unknownReference = "F110"
    case ambiguousReference = "F111"
    case unparsable = "F112"
    case unknownFunction = "F113"
    case wrongArguments = "F114"
    case pathNeeded = "F115"
    case circle = "F116"
    case ownValue = "F117"
    case unknownLanguage = "F118"
    case badParameter = "F119"
    case badDefault = "F120"
    case badTrigger = "F121"
    /// A literal pattern, algorithm or format that cannot work.
    case badLiteral = "F122"
    /// `or_other` with a filter; choices of a question that is not directly in a repeat.
    case badChoices = "F123"
    /// A group that is not closed; no questions at all.
    case badStructure = "F124"
    case limit = "F125"
    case missingFile = "F126"
    /// A construct of ODK or KoboToolbox without which a record would be wrong, and that is not there here.
    case unsupported = "F127"
    /// Two headers for one column, or a column that the sheet cannot have.
    case badColumn = "F128"

    case missingLabel = "W106"
    case namesDifferInCase = "W201"
    case comparedByDay = "W202"
    case comparedDateText = "W203"
    case withoutMeaning = "W204"
    case repeatWithoutLabel = "W205"
    case missingTranslation = "W206"
    case numberSelected = "W207"
    case exportColumn = "W208"
    case repeatAsValue = "W209"
    /// A function beyond ODK's list.
    case beyondODK = "W210"
    /// A column, row or setting of a workbook, or an attribute of an XForm, that is not used.
    case ignored = "W211"

    /// A path that names no question, or a column that no choice has.
    case emptyPath = "W212"
    /// A choice of a `select_one` whose name has a space.
    case spaceInChoice = "W213"

    package var severity: FindingSeverity { rawValue.utf8.first == UInt8(ascii: "F") ? .error : .warning }
}

package enum FindingSeverity: String, Sendable, Hashable {
    /// The form cannot be published.
    case error
    /// The form works.
    case warning
}
