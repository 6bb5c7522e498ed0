/** Cost factors, in the units of cel-go and kube-apiserver. */

export const perSign = 0.1;
export const perSignOfExpression = 0.25;
export const listCreation = 10;
export const mapCreation = 30;
export const structCreation = 40;
