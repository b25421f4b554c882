/// An error for people: its description names, in sentences, the error, its object, and what can be done.
///
/// Programs show it as it is. For other errors they need texts of their own, since those descriptions are for
/// developers.
public protocol UserFacingError: Error, CustomStringConvertible {}
