import DocumentValues

/// Parts that are read and kept, and of which nothing is made yet: their authors are to know.
extension FormChecker {
    mutating func checkUnwritten() {
        if case .inspection = form.record {
            add(
                .withoutMeaning, at: FormPart(.form, member: "record"),
                message: "'record: inspection' has no meaning yet: the form makes responses, and 'bind' fills nothing.")
        }
    }
}
