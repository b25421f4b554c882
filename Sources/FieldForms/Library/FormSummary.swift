import DocumentValues
import FormLogic

/// A line of the list of forms.
package struct FormSummary: Sendable {
    package let reference: FormReference
    package let title: FormText
    /// The language of the title when no other is chosen.
    package let language: Name?
    package let state: FormAvailability
    /// In the order in which they were published.
    @Exact package private(set) var versions: [String]
    /// That a person is asked, of all groups and repeats.
    package let questions: Int
    /// Files, and long lists, that have not come here yet; `nil` where that cannot be known without the passphrase.
    package let missing: [Name]?
    /// Why the current version cannot be opened; `nil` where it can.
    @Exact package private(set) var obstacle: String?

    init(
        _ reference: FormReference, title: FormText, language: Name?, state: FormAvailability, versions: [String],
        questions: Int, missing: [Name]?, obstacle: String? = nil
    ) {
        self.reference = reference
        self.title = title
        self.language = language
        self.state = state
        self.versions = versions
        self.questions = questions
        self.missing = missing
        self.obstacle = obstacle
    }

    /// In the form's own language.
    package var titleText: String {
        title.text(in: language) ?? title.all.first ?? reference.form.text
    }
}

extension Form {
    /// Questions that a person sees.
    package var questionCount: Int {
        var count = 0
        var open = nodes
        while let node = open.popLast() {
            if node.type?.isVisible == true { count += 1 }
            open += node.nodes
        }
        return count
    }
}
