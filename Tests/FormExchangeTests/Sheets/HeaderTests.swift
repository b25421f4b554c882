import DocumentValues
import Testing

@testable import FormExchange

/// Headers of columns.
@Suite struct HeaderTests {
    /// `column`, `column language`, or how else it is used.
    private func use<Column: SheetColumn>(_ header: String, isDouble: Bool, as column: Column.Type) -> String {
        switch HeaderText<Column>.use(of: header, isDouble: isDouble) {
        case .column(let column, nil): column.rawValue
        case .column(let column, let language?): "\(column.rawValue) \(language)"
        case .attribute(let name): "attribute \(name)"
        case .data: "data"
        case .foreign: "foreign"
        case .unknown: "unknown"
        }
    }

    @Test(arguments: [
        ("type", "type"), ("Type", "type"), ("command", "type"), ("tag", "name"), ("value", "name"),
        ("Caption", "label"), ("Constraint Message", "constraint_message"),
        ("constraining_message", "constraint_message"),
        ("requiredMsg", "required_message"), ("relevance", "relevant"), ("readonly", "read_only"),
        ("read only", "read_only"),
        ("calculate", "calculation"), ("count", "repeat_count"), ("jr:count", "repeat_count"),
        ("label::English (en)", "label English (en)"), ("label :: Français", "label Français"),
        ("hint::a::b", "hint a::b"), ("media::image::fr", "image fr"), ("media::big-image", "big-image"),
        ("bind::jr:constraintMsg", "constraint_message"), ("bind::jr:requiredMsg::en", "required_message en"),
        ("bind::required", "required"), ("bind::relevant", "relevant"), ("bind::readonly", "read_only"),
        ("bind::calculate", "calculation"), ("control::appearance", "appearance"), ("body::appearance", "appearance"),
        ("bind::entities:saveto", "save_to"), ("bind::foo:bar", "attribute bind::foo:bar"),
        ("instance::x", "attribute instance::x"), ("body::accuracyThreshold", "attribute body::accuracyThreshold"),
        ("intent", "foreign"), ("sms_field", "foreign"), ("$kuid", "foreign"), ("kobo--lock", "foreign"),
        ("hxl", "foreign"),
        ("colour", "unknown"), ("relevant::English", "unknown"), ("media::smell", "unknown"),
    ])
    func headersOfTheSurveyAreKnown(header: String, expected: String) {
        #expect(use(header, isDouble: true, as: SurveyColumn.self) == expected)
    }

    @Test(arguments: [
        ("label:English", "label English"), ("bind:jr:constraintMsg", "constraint_message"), ("media:image", "image"),
        ("bind:jr:constraintMsg:fr", "constraint_message fr"), ("control:appearance", "appearance"),
        ("jr:count", "repeat_count"), ("media:image:fr", "image fr"),
    ])
    func aSingleColonSeparatesToo(header: String, expected: String) {
        #expect(use(header, isDouble: false, as: SurveyColumn.self) == expected)
    }

    @Test(arguments: [
        ("list name", "list_name"), ("List_Name", "list_name"), ("value", "name"), ("label::en", "label en"),
        ("image", "image"), ("population", "data"), ("a b", "data"),
    ])
    func headersOfChoicesAreKnownOrData(header: String, expected: String) {
        #expect(use(header, isDouble: true, as: ChoicesColumn.self) == expected)
    }

    @Test(arguments: [
        ("form id", "form_id"), ("id_string", "form_id"), ("set_form_title", "form_title"), ("title", "form_title"),
        ("omit_instanceID", "omit_instanceID"), ("default language", "default_language"), ("flat", "unknown"),
    ])
    func headersOfSettingsAreKnown(header: String, expected: String) {
        #expect(use(header, isDouble: true, as: SettingsColumn.self) == expected)
    }
}
